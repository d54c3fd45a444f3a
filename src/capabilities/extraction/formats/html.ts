import { gfm } from '@joplin/turndown-plugin-gfm'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { Unreadable } from '../result.ts'

const maxHtmlLength = 5_242_880
/** A main content with less text is no article. */
const minArticleLength = 200
/** A nesting that no author writes: parsers need quadratic time or the whole stack. */
const maxDepth = 1_000
const maxLinks = 1_000
const maxLinkLength = 2_048

interface HtmlText {
  readonly text: string
  readonly title?: string | undefined
  /** Only of a web page. */
  readonly links?: readonly string[]
}

/** A page as Markdown: its main content where it has one, else its whole body. */
export function convertHtml(source: string, { isWebPage = false } = {}): HtmlText {
  if (source.length > maxHtmlLength)
    throw new Unreadable('too_large', 'An HTML page may have 5 MiB at most.')
  assertDepth(source)
  const { document } = parseHTML(normalize(source))
  const title = toTitle(document.querySelector('title')?.textContent)
  for (const element of document.querySelectorAll(withoutText)) element.remove()
  const links = isWebPage && listLinks(document)
  const body = document.body.innerHTML
  const article = isWebPage ? new Readability(document).parse() : undefined
  const isArticle = (article?.textContent?.trim().length ?? 0) >= minArticleLength
  const text = toMarkdown(isArticle ? (article?.content ?? body) : body)
  return { text, title: title ?? toTitle(article?.title), ...(links && { links }) }
}

function listLinks(document: ReturnType<typeof parseHTML>['document']): string[] {
  const links = [...document.querySelectorAll('a[href]:not([rel~="nofollow"])')]
    .map((link) => link.getAttribute('href')?.trim() ?? '')
    .filter((link) => link !== '' && link.length <= maxLinkLength)
  return [...new Set(links)].slice(0, maxLinks)
}

function toMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  service.use(gfm)
  service.addRule('images without data', {
    filter: 'img',
    replacement: (_, node) => toImage(node as unknown as ImageNode),
  })
  return service
    .turndown(html)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

interface ImageNode {
  getAttribute(name: string): string | null
}

/** Only the description of an image is text. */
function toImage(node: ImageNode): string {
  const words = node.getAttribute('alt')?.trim()
  return words ? `[image: ${words}]` : ''
}

function assertDepth(source: string): void {
  let depth = 0
  for (const [, close, name = ''] of source.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)/g)) {
    if (isVoid.test(name)) continue
    depth = Math.max(0, depth + (close ? -1 : 1))
    if (depth > maxDepth) throw new Unreadable('corrupt', 'The HTML is nested too deeply.')
  }
}

/** Elements without an end tag, or whose end tag is often left out. */
const isVoid =
  /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option|tbody|thead|tfoot|colgroup)$/i

const withoutText = 'script,style,noscript,template,iframe,object,title,meta,link,base'

/** The parser adds no element that a page leaves out, so all of the page becomes one body. */
function normalize(source: string): string {
  const content = source.replaceAll(/<!doctype[^>]*>|<\/?(?:html|head|body)(?:\s[^>]*)?>/gi, '')
  return `<html><head></head><body>${content}</body></html>`
}

function toTitle(title: string | null | undefined): string | undefined {
  const words = title?.replaceAll(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  return words === '' ? undefined : words
}
