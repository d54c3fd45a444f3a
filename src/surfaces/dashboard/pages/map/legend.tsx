import { useText } from '../../i18n/language.tsx'
import { Name } from '../../text/plain-text.tsx'
import { ages, type Colouring, otherGroup } from './cloud.ts'

interface LegendProps {
  readonly names: readonly string[]
  readonly colouring: Colouring
}

/** The name of each colour. */
export function Legend({ names, colouring }: LegendProps) {
  const t = useText()
  const known: Readonly<Record<string, string>> =
    colouring === 'time'
      ? t.map.ages
      : { ...t.memories.types, [otherGroup]: t.map.other, '': t.common.unknown }
  return (
    <ul className="legend" aria-label={t.map.legend}>
      {(colouring === 'time' ? ages : names).map((name, index) => (
        <li key={name}>
          <i className={`dot group-${index}`} aria-hidden="true" />
          {known[name] ?? <Name text={name} />}
        </li>
      ))}
    </ul>
  )
}
