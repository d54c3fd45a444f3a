import { useFormat, useText } from '../../i18n/language.tsx'
import type { Stage } from '../../queries/memories.ts'

type Kind = 'words' | 'meaning' | 'graph' | 'recent' | 'other'

const kinds: Readonly<Record<string, Kind>> = {
  lexical: 'words',
  soft: 'words',
  keyword: 'words',
  vector: 'meaning',
  passage: 'meaning',
  graph: 'graph',
  kinship: 'other',
  recency: 'recent',
}
const tones: Readonly<Record<Kind, string>> = {
  words: 'lamp',
  meaning: '',
  graph: 'good',
  other: 'good',
  recent: 'good',
}
const shown: readonly Kind[] = ['words', 'meaning', 'graph', 'other']

/** A line names this many reasons. */
const maxNamed = 3

interface Part {
  readonly kind: Kind
  readonly score: number
}

/** Adds the scores of the stages that a reader can tell apart. */
function toParts(stages: readonly Stage[]): Part[] {
  const sums = new Map<Kind, number>()
  let previous = 0
  for (const { name, score } of stages) {
    const kind = kinds[name]
    if (kind === 'recent' && score > previous) sums.set(kind, score - previous)
    else if (kind && shown.includes(kind)) sums.set(kind, Math.max(sums.get(kind) ?? 0, score))
    previous = score
  }
  return [...sums].map(([kind, score]) => ({ kind, score })).filter(({ score }) => score > 0.01)
}

interface WhyProps {
  readonly stages: readonly Stage[]
  readonly confidence: number | undefined
}

/** Why a row was found, in a line: the shares, then words. */
export function WhyLine({ stages, confidence }: WhyProps) {
  const t = useText()
  const format = useFormat()
  const parts = toParts(stages)
  const whole = Math.max(
    1,
    parts.reduce((sum, { score }) => sum + score, 0),
  )
  let x = 0
  const rects = parts.map(({ kind, score }) => {
    const width = (score / whole) * 100
    x += width
    return <rect key={kind} className={whyTones[kind]} x={x - width} width={width} height="6" />
  })
  const main = parts.toSorted((a, b) => b.score - a.score).slice(0, maxNamed)
  const named = main.map(({ kind }) => t.memories.why[kind] ?? kind)
  const words = named.length > 0 ? format.list(named) : t.memories.why['other']
  return (
    <p className="why">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="r" width="100" height="6" />
        {rects}
      </svg>
      <span>{words}</span>
      {confidence !== undefined && (
        <span className="push num sure">{t.memories.sure(format.percent(confidence))}</span>
      )}
    </p>
  )
}

const whyTones: Readonly<Record<Kind, string>> = {
  words: 'w',
  meaning: 'v',
  graph: 't',
  other: 't',
  recent: 't',
}

/** Why a memory was found, one bar for each reason. */
export function WhyBars({ stages }: { readonly stages: readonly Stage[] }) {
  const t = useText()
  const format = useFormat()
  return (
    <ul className="stack">
      {toParts(stages).map(({ kind, score }) => (
        <li key={kind}>
          <span className="row">
            <span>{t.memories.why[kind]}</span>
            <span className="push num">{format.score(score)}</span>
          </span>
          <svg className="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className="rest" width="100" height="8" />
            <rect className={tones[kind]} width={Math.min(100, score * 100)} height="8" />
          </svg>
        </li>
      ))}
    </ul>
  )
}
