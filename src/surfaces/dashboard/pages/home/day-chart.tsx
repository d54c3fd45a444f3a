import { useFormat, useText } from '../../i18n/language.tsx'
import type { Hour } from './use-day.ts'

const width = 720
const base = 108
const maxHeight = 92
const step = width / 24
const labelled = [0, 6, 12, 18]

/** The colours of the chart. */
export function ChartKeys() {
  const t = useText()
  return (
    <span className="row">
      <span className="key">
        <i className="rec" />
        {t.home.recallKey}
      </span>
      <span className="key">
        <i />
        {t.home.captureKey}
      </span>
    </span>
  )
}

/** Recalls and captures by hour, with the same numbers as a table. */
export function DayChart({ hours }: { readonly hours: readonly Hour[] }) {
  const t = useText()
  const format = useFormat()
  const max = Math.max(1, ...hours.flatMap(({ recalls, captures }) => [recalls, captures]))
  const height = (value: number) => (value === 0 ? 0 : Math.max(4, (value / max) * maxHeight))
  const sum = (pick: (hour: Hour) => number) => hours.reduce((all, hour) => all + pick(hour), 0)
  const label = t.home.hourLabel(
    sum((hour) => hour.recalls),
    sum((hour) => hour.captures),
  )
  return (
    <>
      <svg className="strip" viewBox="0 0 720 132" role="img" aria-label={label}>
        <line className="axis" x1="0" y1="108.5" x2="720" y2="108.5" />
        {hours.map(({ at, recalls, captures }, index) => (
          <g key={at}>
            <rect
              className="rec"
              x={index * step + 5}
              y={base - height(recalls)}
              width="12"
              height={height(recalls)}
              rx="3"
            />
            <rect
              className="cap"
              x={index * step + 18}
              y={base - height(captures)}
              width="8"
              height={height(captures)}
              rx="3"
            />
          </g>
        ))}
        {labelled.map((index) => (
          <text key={index} x={index * step + 4} y="126">
            {format.time(hours[index]?.at ?? 0)}
          </text>
        ))}
        <text x="716" y="126" textAnchor="end">
          {t.home.now}
        </text>
      </svg>
      <details className="fold small-text">
        <summary>{t.common.asTable}</summary>
        <div className="scrolls">
          <HourTable hours={hours} />
        </div>
      </details>
    </>
  )
}

function HourTable({ hours }: { readonly hours: readonly Hour[] }) {
  const t = useText()
  const format = useFormat()
  return (
    <table>
      <thead>
        <tr>
          <th>{t.home.hour}</th>
          <th className="num">{t.home.recallKey}</th>
          <th className="num">{t.home.captureKey}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map(({ at, recalls, captures }) => (
          <tr key={at}>
            <td>{format.time(at)}</td>
            <td className="num">{format.number(recalls)}</td>
            <td className="num">{format.number(captures)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
