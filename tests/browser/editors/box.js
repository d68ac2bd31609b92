// Returns a new element for an editor.
export const box = () => document.body.appendChild(document.createElement("div"));
