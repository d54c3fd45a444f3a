import { readPreference, savePreference } from '../host.ts'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export function readTheme(): Theme {
  const saved = readPreference('theme')
  return themes.find((theme) => theme === saved) ?? 'system'
}

/** The attribute is absent while the page follows the system. */
export function chooseTheme(theme: Theme): void {
  savePreference('theme', theme === 'system' ? undefined : theme)
  applyDisplay()
}

export function applyDisplay(): void {
  const theme = readTheme()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  if (readPreference('density') === 'compact') dataset['density'] = 'compact'
  else delete dataset['density']
}
