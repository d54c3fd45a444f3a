import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { readPreference, savePreference } from '../host.ts'
import { type Dictionary, en } from './en.ts'
import { createFormat, type Format } from './format.ts'

const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

interface LanguageState {
  readonly language: Language
  readonly text: Dictionary
  readonly format: Format
  readonly choose: (language: Language | undefined) => void
}

const LanguageContext = createContext<LanguageState>({
  language: 'en',
  text: en,
  format: createFormat('en'),
  choose: () => undefined,
})

/** All user-visible strings in the language of the reader. */
export function useText(): Dictionary {
  return useContext(LanguageContext).text
}

export function useFormat(): Format {
  return useContext(LanguageContext).format
}

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(findLanguage)
  const [text, setText] = useState<Dictionary>()
  useEffect(() => {
    document.documentElement.lang = language
    void loadDictionary(language).then((dictionary) => setText(() => dictionary))
  }, [language])
  const choose = (chosen: Language | undefined) => {
    savePreference('language', chosen)
    setLanguage(findLanguage())
  }
  const format = useMemo(() => createFormat(language), [language])
  if (!text) return null
  return <LanguageContext value={{ language, text, format, choose }}>{children}</LanguageContext>
}

function findLanguage(): Language {
  const wanted = [readPreference('language') ?? '', ...navigator.languages]
  const found = wanted.map((name) => name.slice(0, 2).toLowerCase())
  return languages.find((language) => language === found.find(isKnown)) ?? 'en'
}

function isKnown(name: string): boolean {
  return languages.some((language) => language === name)
}

async function loadDictionary(language: Language): Promise<Dictionary> {
  return language === 'zh' ? (await import('./zh.ts')).zh : en
}

export function useLanguage() {
  const { language, choose } = useContext(LanguageContext)
  return { language, choose }
}
