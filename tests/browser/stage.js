// Runs in every frame, in front of its document. Whatever a page manages to do is written into
// `sightings` of the topmost page, with the number of the scene in which it happened.
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
    "script, object, embed, applet, base, link, form, input, button, textarea, select, template," +
    "noscript, frameset, svg, math, meta[http-equiv], [srcdoc], [action], [formaction]";

  const sightings = (window.top.sightings ??= []);
  let scene = window;
  while (scene !== window.top && scene.parent !== window.top) scene = scene.parent;
  const see = (what) => void sightings.push([scene.number ?? -1, what]);

  for (const name of HOOKS) window[name] = () => see(`called ${name}`);
  for (const name of Object.keys(console)) console[name] = () => see("called console");
  addEventListener("securitypolicyviolation", (event) => {
    const { effectiveDirective: rule, blockedURI: address, sample } = event;
    // A picture's address that is none, such as "//", is reported without one.
    if (address || rule !== "img-src") see(`broke ${rule}: ${address} ${sample}`.trim());
  }, true);
  // An ordinary link may be followed, but that would end the scene.
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

  const provoke = (page) => {
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

  // Shows each scene, which is a list of sources, in a frame of its own: "parsed" as one document,
  // or "inserted" into an empty one, whose rules are those of old pages without a doctype. Then
  // what the browser has made of it is written out and read again, for what wakes up only then.
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
    const judge = (page, sources, number) => {
      for (const what of remains(page, sources)) sightings.push([number, what]);
    };
    await Promise.race([Promise.all(frames.map((frame) => frame.loaded)), pause(20_000)]);
    if (way === "inserted") act((page, sources) => sources.forEach((one) => insert(page, one)));
    act(judge);
    act(provoke);
    await pause(100);
    act((page) => { page.body.innerHTML = page.body.innerHTML; });
    act(judge);
    act(provoke);
    await pause(100);
    return sightings;
  };
})();
