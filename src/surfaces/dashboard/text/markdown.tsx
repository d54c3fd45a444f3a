import type { Nodes, Root } from 'mdast'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { ForeignLink } from './link.tsx'
import { PlainText } from './plain-text.tsx'

const maxLength = 200_000
const maxDepth = 32

/** Shows Markdown by an allow-list of elements. Markup in it is shown as its source. */
export function Markdown({ text }: { readonly text: string }) {
  const t = useText()
  const [tree, setTree] = useState<Root>()
  const [isPlain, setPlain] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void import('mdast-util-from-markdown').then(({ fromMarkdown }) => {
      if (isCurrent) setTree(fromMarkdown(text.slice(0, maxLength)))
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  if (isPlain || !tree)
    return (
      <p className="prewrap">
        <PlainText text={text} />
      </p>
    )
  return (
    <div className="markdown">
      {tree.children.map((node) => renderNode(node, 0))}
      {text.length > maxLength && (
        <button type="button" className="linklike" onClick={() => setPlain(true)}>
          {t.common.showPlain}
        </button>
      )}
    </div>
  )
}

function renderNode(node: Nodes, depth: number): ReactNode {
  const key = node.position?.start.offset ?? 0
  if (depth > maxDepth) return null
  const inner = 'children' in node ? node.children.map((each) => renderNode(each, depth + 1)) : null
  const render = renderers[node.type] as
    | ((node: Nodes, inner: ReactNode, key: number) => ReactNode)
    | undefined
  return render?.(node, inner, key) ?? null
}

type NodeOf<Type extends Nodes['type']> = Extract<Nodes, { readonly type: Type }>
type Renderers = {
  readonly [Type in Nodes['type']]?: (
    node: NodeOf<Type>,
    inner: ReactNode,
    key: number,
  ) => ReactNode
}

const renderers: Renderers = {
  paragraph: (_, inner, key) => <p key={key}>{inner}</p>,
  heading: (_, inner, key) => <h3 key={key}>{inner}</h3>,
  blockquote: (_, inner, key) => <blockquote key={key}>{inner}</blockquote>,
  list: ({ ordered }, inner, key) =>
    ordered ? <ol key={key}>{inner}</ol> : <ul key={key}>{inner}</ul>,
  listItem: (_, inner, key) => <li key={key}>{inner}</li>,
  emphasis: (_, inner, key) => <em key={key}>{inner}</em>,
  strong: (_, inner, key) => <strong key={key}>{inner}</strong>,
  thematicBreak: (_, __, key) => <hr key={key} />,
  break: (_, __, key) => <br key={key} />,
  text: ({ value }, _, key) => <PlainText key={key} text={value} />,
  html: ({ value }, _, key) => (
    <code key={key} className="mono">
      <PlainText text={value} />
    </code>
  ),
  inlineCode: ({ value }, _, key) => (
    <code key={key} className="mono">
      <PlainText text={value} />
    </code>
  ),
  code: ({ value }, _, key) => (
    <pre key={key} className="code">
      <PlainText text={value} />
    </pre>
  ),
  link: ({ url }, inner, key) => (
    <span key={key}>
      {inner}
      {' ('}
      <ForeignLink address={url} />
      {')'}
    </span>
  ),
  image: ({ alt, url }, _, key) => (
    <span key={key} className="faint">
      {'image: '}
      <PlainText text={`${alt ?? ''}, ${url}`} />
    </span>
  ),
  definition: ({ label, url }, _, key) => (
    <p key={key} className="faint">
      <PlainText text={`[${label ?? ''}]: ${url}`} />
    </p>
  ),
  linkReference: ({ label }, inner, key) => (
    <span key={key}>
      {inner}
      <PlainText text={` [${label ?? ''}]`} />
    </span>
  ),
  imageReference: ({ alt }, _, key) => <PlainText key={key} text={`[${alt ?? ''}]`} />,
}
