import { useEffect, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import { Icon } from '../../widgets/icon.tsx'
import type { FilterName, Filters } from './use-filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly change: (name: FilterName, value: string | undefined) => void
}

const waitMs = 250
const memoryTypes = ['fact', 'decision', 'preference', 'rule', 'procedural', 'semantic', 'episodic']

/** The search and the filters, which are part of the address. */
export function FilterBar({ filters, change }: FilterBarProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(Boolean(filters.tag ?? filters.source ?? filters.pinned))
  return (
    <>
      <SearchField value={filters.q ?? ''} onChange={(text) => change('q', text)} />
      <fieldset className="filters" aria-label={t.memories.filters}>
        <TextFilter
          label={t.memories.project}
          value={filters.project ?? ''}
          onChange={(value) => change('project', value)}
        />
        <Choice
          label={t.memories.type}
          value={filters.type}
          options={[['', t.memories.anyType], ...memoryTypes.map((name) => [name, name] as const)]}
          onChange={(value) => change('type', value)}
        />
        <Choice
          label={t.memories.when}
          value={filters.time}
          options={[
            ['', t.memories.anyTime],
            ['today', t.memories.today],
            ['week', t.memories.week],
            ['month', t.memories.month],
            ['year', t.memories.year],
          ]}
          onChange={(value) => change('time', value)}
        />
        <TextFilter
          label={t.memories.who}
          value={filters.who ?? ''}
          onChange={(value) => change('who', value)}
        />
        <Choice
          label={t.memories.state}
          value={filters.state}
          options={['', 'forgotten', 'superseded', 'all'].map(
            (name) => [name, t.memories.states[name || 'live'] ?? name] as const,
          )}
          onChange={(value) => change('state', value)}
        />
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t.memories.moreFilters}
        </button>
        {isOpen && <MoreFilters filters={filters} change={change} />}
      </fieldset>
    </>
  )
}

function MoreFilters({ filters, change }: FilterBarProps) {
  const t = useText()
  return (
    <>
      {(['tag', 'source'] as const).map((name) => (
        <TextFilter
          key={name}
          label={t.memories[name]}
          value={filters[name] ?? ''}
          onChange={(value) => change(name, value)}
        />
      ))}
      <button
        type="button"
        className={filters.pinned ? 'button on' : 'button'}
        aria-pressed={Boolean(filters.pinned)}
        onClick={() => change('pinned', filters.pinned ? undefined : 'true')}
      >
        {t.memories.pinnedOnly}
      </button>
    </>
  )
}

interface ValueProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The address follows what is typed after a short rest. */
function useSettled(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onChange(typed), waitMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return [typed, setTyped] as const
}

function SearchField({ value, onChange }: ValueProps) {
  const t = useText()
  const [typed, setTyped] = useSettled(value, onChange)
  return (
    <label className="field">
      <Icon name="search" />
      <span className="unseen">{t.memories.search}</span>
      <input
        type="search"
        value={typed}
        placeholder={t.memories.search}
        onChange={({ target }) => setTyped(target.value)}
      />
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  return (
    <select
      className={value ? 'button on' : 'button'}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  )
}

function TextFilter({ label, value, onChange }: ValueProps & { readonly label: string }) {
  const [typed, setTyped] = useSettled(value, onChange)
  return (
    <input
      className={value ? 'button on' : 'button'}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
