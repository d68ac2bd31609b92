import { Editor } from "@tiptap/core";
import { Audio } from "@tiptap/extension-audio";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import { Emoji } from "@tiptap/extension-emoji";
import { Highlight } from "@tiptap/extension-highlight";
import { Image } from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { Mathematics } from "@tiptap/extension-mathematics";
import { Mention } from "@tiptap/extension-mention";
import { Subscript } from "@tiptap/extension-subscript";
import { Superscript } from "@tiptap/extension-superscript";
import { TableKit } from "@tiptap/extension-table";
import { TextAlign } from "@tiptap/extension-text-align";
import { TextStyleKit } from "@tiptap/extension-text-style";
import { Youtube } from "@tiptap/extension-youtube";
import StarterKit from "@tiptap/starter-kit";
import { box } from "./box.js";

const text = (text, type, attrs) => ({
  type: "text",
  text,
  ...(type ? { marks: [{ type, attrs }] } : {}),
});
const node = (type, attrs, ...content) => ({
  type,
  attrs,
  ...(content.length ? { content } : {}),
});
const p = (...content) => node("paragraph", {}, ...content);
const cell = (type, colwidth, words) =>
  node(type, { colwidth, colspan: colwidth.length }, p(text(words)));

const MARKS = ["bold", "italic", "underline", "strike", "code", "subscript", "superscript"];
const STYLE = {
  color: "#e60000",
  backgroundColor: "#ffff00",
  fontFamily: "serif",
  fontSize: "20px",
  lineHeight: "1.5",
};
const DOCUMENT = {
  type: "doc",
  content: [
    node("heading", { level: 2, textAlign: "center" }, text("Heading")),
    p(
      ...MARKS.map((mark) => text(mark, mark)),
      text("link", "link", { href: "https://example.org/" }),
      text("marked", "highlight", { color: "#ffcc00" }),
      text("styled", "textStyle", STYLE),
      node("hardBreak", {}),
      node("mention", { id: "7", label: "Ana" }),
      node("emoji", { name: "smile" }),
      node("inlineMath", { latex: "e=mc^2" }),
    ),
    node("blockquote", {}, p(text("quote"))),
    node("bulletList", {}, node("listItem", {}, p(text("bullet")))),
    node("orderedList", { start: 3 }, node("listItem", {}, p(text("number")))),
    node(
      "taskList",
      {},
      node(
        "taskItem",
        { checked: true },
        p(text("done")),
        node("taskList", {}, node("taskItem", { checked: true }, p(text("deeper")))),
      ),
      node("taskItem", { checked: false }, p(text("open"))),
    ),
    node("codeBlock", { language: "javascript" }, text("let a = 1 < 2;\n\n  b")),
    node("horizontalRule", {}),
    node("blockMath", { latex: "\\int_0^1 x" }),
    node(
      "details",
      {},
      node("detailsSummary", {}, text("more")),
      node("detailsContent", {}, p(text("hidden"))),
    ),
    node("image", {
      src: "/api/images/images/a.png",
      alt: "river",
      title: "Elbe",
      width: 300,
      height: 200,
    }),
    node("youtube", {
      src: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      start: 5,
      width: 480,
      height: 320,
    }),
    node("audio", { src: "/a.mp3" }),
    node(
      "table",
      {},
      node("tableRow", {}, cell("tableHeader", [100, 200], "head")),
      node("tableRow", {}, cell("tableCell", [100], "a"), cell("tableCell", [200], "b")),
    ),
    p(text("end")),
  ],
};

const open = (content) =>
  new Editor({
    element: box(),
    content,
    extensions: [
      StarterKit,
      Audio,
      Details,
      DetailsContent,
      DetailsSummary,
      Emoji,
      Highlight.configure({ multicolor: true }),
      Image,
      Mathematics,
      Mention,
      Subscript,
      Superscript,
      TableKit.configure({ table: { resizable: true } }),
      TaskItem.configure({ nested: true }),
      TaskList,
      TextAlign.configure({ types: ["heading", "paragraph"] }),
      TextStyleKit,
      Youtube,
    ],
  });

export const tiptap = {
  make: () => open(DOCUMENT).getHTML(),
  write: (model) => open(model).getHTML(),
  read: (html) => open(html).getJSON(),
};
