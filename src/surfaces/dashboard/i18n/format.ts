import { host } from '../host.ts'

export interface Format {
  number(value: number | null | undefined): string
  percent(share: number | null | undefined): string
  /** A share of 1 with two decimals. */
  score(value: number): string
  money(dollars: number): string
  bytes(value: number): string
  /** Today: the time. Otherwise the day. */
  when(time: string): string
  /** The exact time, in the zone of the reader. */
  exact(time: string): string
  /** The day and the time. */
  moment(time: string): string
  time(ms: number): string
  list(items: readonly string[]): string
  plural(count: number, one: string, other: string): string
}

const unknown = '?'
const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Numbers, times and lists as the language writes them. */
export function createFormat(language: string): Format {
  const formatter = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options)
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
  const number = formatter({ maximumFractionDigits: 2 })
  const percent = formatter({ style: 'percent', maximumFractionDigits: 0 })
  const score = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const money = formatter({ style: 'currency', currency: 'USD' })
  const clock = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = dates({ day: 'numeric', month: 'short' })
  const dayOfYear = dates({ day: 'numeric', month: 'short', year: 'numeric' })
  const moment = dates({
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const exact = dates({ dateStyle: 'long', timeStyle: 'medium' })
  const list = new Intl.ListFormat(language)
  const rules = new Intl.PluralRules(language)
  return {
    number: (value) => (typeof value === 'number' ? number.format(value) : unknown),
    percent: (share) => (Number.isFinite(share) ? percent.format(share ?? 0) : unknown),
    score: (value) => score.format(value),
    money: (dollars) => money.format(dollars),
    bytes: (value) => {
      const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
      const unit = units[power] ?? 'byte'
      const options = { style: 'unit', unit, unitDisplay: power === 0 ? 'long' : 'short' } as const
      return formatter({ ...options, maximumFractionDigits: 1 }).format(value / 1000 ** power)
    },
    when: (time) => {
      const date = new Date(time)
      if (Number.isNaN(date.getTime())) return unknown
      const now = new Date(host.now())
      if (date.toDateString() === now.toDateString()) return clock.format(date)
      return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date)
    },
    exact: (time) => {
      const date = new Date(time)
      return Number.isNaN(date.getTime()) ? unknown : exact.format(date)
    },
    moment: (time) => {
      const date = new Date(time)
      return Number.isNaN(date.getTime()) ? unknown : moment.format(date)
    },
    time: (ms) => clock.format(ms),
    list: (items) => list.format(items),
    plural: (count, one, other) => (rules.select(count) === 'one' ? one : other),
  }
}

const numbers = new Intl.NumberFormat('en')
const rules = new Intl.PluralRules('en')

/** A number with its noun: `1 memory`, `2 memories`. */
export function count(value: number, one: string, other: string): string {
  return `${numbers.format(value)} ${rules.select(value) === 'one' ? one : other}`
}
