import * as CK from "ckeditor5";
import { box } from "./box.js";

const PLUGINS = [
  CK.Essentials,
  ...[CK.Alignment, CK.BlockQuote, CK.Bold, CK.Bookmark, CK.Code, CK.CodeBlock, CK.FontFamily],
  ...[CK.FontBackgroundColor, CK.FontColor, CK.FontSize, CK.Heading, CK.Highlight],
  ...[CK.HorizontalLine, CK.Image, CK.ImageCaption, CK.ImageResize, CK.ImageStyle, CK.Indent],
  ...[CK.IndentBlock, CK.Italic, CK.Link, CK.LinkImage, CK.List, CK.ListProperties, CK.MediaEmbed],
  ...[CK.Mention, CK.PageBreak, CK.Paragraph, CK.Strikethrough, CK.Subscript, CK.Superscript],
  ...[CK.Table, CK.TableCaption, CK.TableCellProperties, CK.TableColumnResize],
  ...[CK.TableProperties, CK.TextPartLanguage, CK.TodoList, CK.Underline],
];
const TAB = { target: "_blank", rel: "noopener noreferrer" };

const DOCUMENT = `
<h2>Heading</h2>
<p style="text-align:center"><strong>bold</strong><i>italic</i><u>under</u><s>strike</s><sub>sub</sub>
<sup>super</sup><code>code</code> <a href="https://example.org/">link</a>
<a target="_blank" rel="noopener noreferrer" href="https://example.org/">tab</a></p>
<p><span style="color:hsl(0,75%,60%)">red</span> <span style="font-size:24px">size</span>
<span style="background-color:hsl(60,75%,60%)">yellow</span>
<span style="font-family:Arial, sans-serif">font</span> <mark class="marker-yellow">marked</mark>
<span class="mention" data-mention="@Ana">@Ana</span> <span lang="ar" dir="rtl">م</span></p>
<p style="margin-left:40px">indented</p><blockquote><p>quote</p></blockquote>
<ul style="list-style-type:square"><li>bullet<ul><li>deeper</li></ul></li></ul>
<ol style="list-style-type:upper-roman" start="3" reversed="reversed"><li>number</li></ol>
<ul class="todo-list"><li><label class="todo-list__label"><input type="checkbox" checked disabled>
<span class="todo-list__label__description">done</span></label></li>
<li><label class="todo-list__label"><input type="checkbox" disabled>
<span class="todo-list__label__description">open</span></label></li></ul>
<pre><code class="language-javascript">let a = 1 &lt; 2;\n\n  b</code></pre><hr>
<p><a id="part"></a>bookmark</p>
<div class="page-break" style="page-break-after:always"><span style="display:none">&nbsp;</span></div>
<figure class="media"><oembed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ"></oembed></figure>
<figure class="image image_resized image-style-side" style="width:50%">
<a href="https://example.org/"><img src="/a.png" alt="river" srcset="/a.png 100w, /b.png 200w"
sizes="100vw" width="300" height="200"></a><figcaption>A <b>caption</b></figcaption></figure>
<p>inline <img class="image_resized" style="width:20%" src="/b.png" alt="small"></p>
<figure class="table" style="width:80%"><table class="ck-table-resized"
style="background-color:hsl(0,0%,90%);border:2px dashed hsl(0,0%,60%)"><colgroup>
<col style="width:40%"><col style="width:60%"></colgroup><thead><tr><th>head</th><th>two</th></tr>
</thead><tbody><tr><td style="background-color:hsl(0,75%,60%);text-align:right;vertical-align:top;
padding:5px" rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>
<figcaption>A table</figcaption></figure>
<p>end</p>`;

// The model of CKEditor has no JSON of its own; its XML-like form is that of its own tests.
const open = (initialData) =>
  CK.ClassicEditor.create(box(), {
    licenseKey: "GPL",
    initialData,
    plugins: PLUGINS,
    fontFamily: { supportAllValues: true },
    fontSize: { options: [9, "default", 24], supportAllValues: true },
    link: { decorators: { tab: { mode: "manual", label: "tab", attributes: TAB } } },
    list: { properties: { styles: true, startIndex: true, reversed: true } },
    mention: { feeds: [{ marker: "@", feed: ["@Ana"] }] },
  });

export const ckeditor = {
  make: async () => (await open(DOCUMENT)).getData(),
  write: (model) => model.html,
  async read(html) {
    const editor = await open(html);
    return {
      html: editor.getData(),
      nodes: [...editor.model.document.getRoot().getChildren()].map((child) => child.toJSON()),
    };
  },
};
