import { detectLanguage, type Language } from './function-words.ts'
import { readQueryTraits, splitWords, trait } from './query.ts'
import { fold } from './terms.ts'

/**
 * Words by which a question asks for a summary or an order, and words for the conversation itself.
 * They say what form the answer has, not what it is about. Spelled as `fold` spells them.
 */
const reportWords: Readonly<Record<Language, string>> = {
  en: `
    across aspect aspects bring bringing brief briefly brought chat chats chronological chronologically clear
    complete comprehensive conversation conversations covered detailed different discuss discussed
    discussion discussions far full including item items list listed main mention mentioned message
    messages only overview point points provide raise raised recap sequence session sessions short
    summaries summarise summarize summary talk talked thing things through throughout time timeline topic
    topics various two three four five six seven eight nine ten`,
  de: `
    ablauf angesprochen aspekt aspekte aufgezahlt auflisten aufzahlen ausfuhrlich ausfuhrliche besprochen
    chronologisch chronologische erwahnt fasse fassen gib gesprach gesprache gesprachen gesprochen hauptpunkte komplett
    komplette kurz kurze laufe liste nachrichten punkt punkte reihenfolge sitzung sitzungen thema themen uberblick
    umfassend umfassende unterhaltung unterhaltungen verschieden verschiedene verschiedenen vollstandig
    vollstandige wichtigsten zeit zusammen zusammenfassen zusammenfassung zwei drei vier funf sechs sieben
    acht neun zehn`,
  es: `
    aspecto aspectos breve completa completo conversacion conversaciones cronologica cronologico dame detallado
    diferentes distintos enumera hablado hablamos largo lista mencionado mencione mensajes principales punto puntos
    repaso resume resumen resumir sesion sesiones tema temas tiempo dos tres cuatro cinco seis siete ocho
    nueve diez`,
  fr: `
    apercu aspect aspects bref chronologique complet complete conversation conversations detaille
    differents discussion discussions discute donne donnez enumere fil liste mentionne messages parle point points
    principaux resume resumer resumez seance seances session sessions sujet sujets temps deux trois quatre cinq six
    sept huit neuf dix`,
}
const chinese = /总结|概述|概括|列出|按顺序|顺序|对话|聊天|讨论|提到|方面/gu
/** In other questions, an order may be one of goods. */
const orderWords: readonly string[] = ['order', 'orden', 'ordre']

const tables = new Map(
  Object.entries(reportWords).map(([language, words]) => [
    language,
    new Set(words.trim().split(/\s+/)),
  ]),
)

/** The folded words of a question without those that only ask for a report. */
export function dropReportWords(question: string, words: readonly string[]): readonly string[] {
  const traits = readQueryTraits(question)
  if ((traits & (trait.summary | trait.order)) === 0) return words
  const table = tables.get(detectLanguage(splitWords(fold(question))))
  const isOrder = (traits & trait.order) !== 0
  return words
    .filter((word) => !(table?.has(word) || (isOrder && orderWords.includes(word))))
    .flatMap((word) => splitWords(word.replaceAll(chinese, ' ')))
}
