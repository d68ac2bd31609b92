// Runs in every frame before its document. Records every action of a page in `sightings` of the
// top page, with the number of the scene.
(() => {
  const HOOKS = ["alert", "confirm", "prompt", "print", "open", "fetch", "close", "stop"];
  const EVENTS = (
    "error load click dblclick auxclick contextmenu mousedown mouseup mouseover mouseenter " +
    "mousemove mouseout mouseleave pointerdown pointerup pointerover pointerenter pointermove " +
    "touchstart touchend wheel scroll keydown keyup focus blur focusin focusout input change " +
    "submit copy cut paste drag dragstart drop select toggle beforetoggle play canplay ended " +
    "animationstart animationend transitionend hashchange popstate resize message"
  ).split(" ");
  const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", ":"]);
  const ACTIVE =
    "script, object, embed, applet, base, link, form, button, textarea, select, template," +
    "input:not([type=checkbox][disabled]), noscript, frameset, svg, math, meta[http-equiv], [srcdoc], [action], [formaction]";

  const sightings = (window.top.sightings ??= []);
  let scene = window;
  while (scene !== window.top && scene.parent !== window.top) scene = scene.parent;
  const see = (what) => void sightings.push([scene.number ?? -1, what]);

  for (const name of HOOKS) window[name] = () => see(`called ${name}`);
  for (const name of Object.keys(console)) console[name] = () => see("called console");
  addEventListener("securitypolicyviolation", (event) => {
    const { effectiveDirective: rule, blockedURI: address, sample } = event;
    // An invalid image address such as "//" is reported without a blocked URI.
    if (address || rule !== "img-src") see(`broke ${rule}: ${address} ${sample}`.trim());
  }, true);
  // Following an ordinary link is allowed, but would end the scene.
  addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node.localName === "a");
    if (link && SCHEMES.has(link.protocol)) event.preventDefault();
  }, true);

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const insert = (page, source) => {
    const box = page.createElement("div");
    page.body.append(box);
    box.innerHTML = source;
  };

  const trigger = (page) => {
    for (const element of page.querySelectorAll("*")) {
      const own = element.getAttributeNames().filter((name) => name.startsWith("on"));
      for (const type of [...EVENTS, ...own.map((name) => name.slice(2))]) {
        element.dispatchEvent(new Event(type, { cancelable: true }));
      }
      element.click?.();
    }
    for (const type of EVENTS) page.defaultView.dispatchEvent(new Event(type));
  };

  const remains = function* (page, sources) {
    for (const element of page.body.querySelectorAll(ACTIVE)) yield `left a ${element.localName}`;
    for (const element of page.body.querySelectorAll("*")) {
      for (const name of element.getAttributeNames()) {
        if (name.startsWith("on")) yield `left ${name} on a ${element.localName}`;
      }
      if (element.localName === "a" && !SCHEMES.has(element.protocol)) yield `left ${element.href}`;
    }
    for (const name of Object.getOwnPropertyNames(page)) {
      if (name !== "location") yield `replaced document.${name}`;
    }
    if (page.body.children.length !== sources.length) yield "left its box";
  };

  // Shows each scene, a list of sources, in a frame of its own: "parsed" as one document, or
  // "inserted" into an empty document in quirks mode. Then serialises and reparses the result,
  // because some payloads (mutation XSS) run only then.
  window.perform = async (scenes, way) => {
    const frames = scenes.map((sources, number) => {
      const frame = document.createElement("iframe");
      frame.loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      if (way === "parsed") frame.srcdoc = sources.map((one) => `<div>${one}</div>`).join("");
      document.body.append(frame);
      frame.contentWindow.number = number;
      return frame;
    });
    const act = (step) => frames.forEach((frame, number) => {
      if (frame.contentDocument?.body) step(frame.contentDocument, scenes[number], number);
      else sightings.push([number, "left the page"]);
    });
    const inspect = (page, sources, number) => {
      for (const what of remains(page, sources)) sightings.push([number, what]);
    };
    await Promise.race([Promise.all(frames.map((frame) => frame.loaded)), pause(20_000)]);
    if (way === "inserted") act((page, sources) => sources.forEach((one) => insert(page, one)));
    act(inspect);
    act(trigger);
    await pause(100);
    act((page) => { page.body.innerHTML = page.body.innerHTML; });
    act(inspect);
    act(trigger);
    await pause(100);
    // On a slow machine, a frame could otherwise open a dialogue while the next page is loaded, and
    // nothing can close that.
    frames.forEach((frame) => frame.remove());
    return sightings;
  };
})();
