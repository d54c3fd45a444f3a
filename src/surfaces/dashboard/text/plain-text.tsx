import { Fragment, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { splitHidden } from './hidden-characters.ts'

const maxShown = 20_000
/** A text with more marks than this is an attack on the reader, not a text. */
const maxParts = 4000

interface PlainTextProps {
  readonly text: string
  /** Words to highlight. */
  readonly words?: readonly string[] | undefined
  /** The face of the text. */
  readonly className?: 'name' | 'memory'
  /** The service cuts such texts at this length. A text that reaches it ends in an ellipsis. */
  readonly cutAt?: number
}

/**
 * Shows a text from outside as it is written, apart from the direction of the text around it.
 * Hidden characters become marks.
 */
export function PlainText({ text, words = [], className, cutAt }: PlainTextProps) {
  const t = useText()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, maxShown)
  return (
    <>
      <bdi className={className}>
        <Characters text={shown} words={words} />
      </bdi>
      {cutAt !== undefined && text.length >= cutAt && '…'}
      {shown.length < text.length && (
        <>
          {'… '}
          <button type="button" className="linklike" onClick={() => setWhole(true)}>
            {t.common.showAll(text.length)}
          </button>
        </>
      )}
    </>
  )
}

function Characters({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const parts = splitHidden(text).slice(0, maxParts)
  return parts.map(({ text: part, isHidden, at }) =>
    isHidden ? (
      <span key={at} className="hidden-sign">
        {part}
      </span>
    ) : (
      <Highlighted key={at} text={part} words={words} />
    ),
  )
}

function Highlighted({
  text,
  words,
}: {
  readonly text: string
  readonly words: readonly string[]
}) {
  if (words.length === 0) return text
  const pattern = new RegExp(`(${words.map((word) => escapePattern(word)).join('|')})`, 'giu')
  let at = 0
  return text.split(pattern).map((part, index) => {
    at += part.length
    return index % 2 === 1 ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>
  })
}

/** A name from outside, on one line. */
export function Name({ text }: PlainTextProps) {
  return <PlainText text={text} className="name" />
}

/** A remembered text, always in the reading face. */
export function MemoryText({ text, words }: PlainTextProps) {
  return <PlainText text={text} words={words} className="memory" />
}

function escapePattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
