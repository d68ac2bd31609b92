"use strict";
{
  const kept = "masthead.docs.token";
  const form = document.querySelector("form");
  const input = document.getElementById("token");
  const refused = document.getElementById("refused");

  const show = async (token) => {
    let answer;
    try {
      answer = await fetch(location.pathname, { headers: { Authorization: `Bearer ${token}` } });
    } catch {
      refused.textContent = "The server can't be reached, or the token has other characters.";
      return;
    }
    if (!answer.ok) {
      sessionStorage.removeItem(kept);
      refused.textContent =
        answer.status === 401 ? "The token is invalid or has expired." : "Please try again later.";
      return;
    }
    sessionStorage.setItem(kept, token);
    const page = await answer.text();
    document.open();
    document.write(page);
    document.close();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(input.value.trim());
  });
  form.hidden = false;
  const token = sessionStorage.getItem(kept);
  if (token) {
    show(token);
  }
}
