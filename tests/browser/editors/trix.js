import Trix from "trix";

const DOCUMENT = [
  "<h1>Heading</h1><div><strong>bold</strong><em>italic</em><del>strike</del></div>",
  '<div><a href="https://example.org/">link</a></div>',
  "<blockquote>quote</blockquote><pre>let a = 1;\n\n  b</pre>",
  "<ul><li>bullet<ul><li>deeper</li></ul></li></ul><ol><li>number</li></ol>",
].join("");
const ATTACHMENTS = [
  {
    contentType: "image/png",
    url: "/api/images/images/a.png",
    href: "/a",
    width: 300,
    height: 200,
    filename: "river.png",
    filesize: 100,
  },
  {
    contentType: "application/pdf",
    url: "/files/a.pdf",
    href: "/files/a.pdf",
    filename: "river.pdf",
    filesize: 11920,
  },
  { contentType: "text/html", content: "<p>embedded <b>HTML</b></p>" },
];

const open = async (html) => {
  const element = document.createElement("trix-editor");
  const ready = new Promise((resolve) => element.addEventListener("trix-initialize", resolve));
  document.body.append(element);
  await ready;
  element.editor.loadHTML(html);
  return element;
};

// The document's JSON, without the numbers by which Trix distinguishes its objects.
const model = (editor) =>
  JSON.parse(
    JSON.stringify(editor.getDocument(), (key, value) => (key === "id" ? undefined : value)),
  );

export const trix = {
  async make() {
    const element = await open(DOCUMENT);
    element.editor.setSelectedRange(element.editor.getDocument().toString().length - 1);
    element.editor.insertLineBreak();
    for (const each of ATTACHMENTS) {
      element.editor.insertAttachment(new Trix.Attachment(each));
    }
    return element.value;
  },
  async write(document) {
    const element = await open("");
    element.editor.loadJSON({ document, selectedRange: [0, 0] });
    return element.value;
  },
  read: async (html) => model((await open(html)).editor),
};
