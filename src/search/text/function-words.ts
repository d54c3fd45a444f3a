import { isStopWord } from './terms.ts'

/**
 * Words of a question that name nothing: question words, auxiliary and everyday verbs, articles,
 * pronouns, adverbs of time. They are removed from queries; texts are indexed with them.
 */
const english = `
  about actually ago all any anybody anyone anything ask asking can come comes could current currently did
  do does doing done earlier everything exactly formerly gave get gets getting give given gives go goes got happen happened
  happening happens has have how kind know known knows let like liked likes make makes many may mean
  meaning means might much must need needed needs now nowadays often ok okay originally please previous previously
  right say saying says see shall
  should show so some somebody someone something sort still take takes tell than today tomorrow us use used uses
  using want wanted wants was went were what when where which who whom whose why will would yesterday yet`

const german = `
  aber aktuell aktuelle aktuellen alle allem allen aller alles als also am an auch auf aus bei bekommen bekommt bin bis bitte
  bist braucht da dabei damals damit dann das dass dein deine dem den denn der derzeit des dessen die dies diese
  diesem diesen dieser dieses dir doch dort du durch durfen darf ein eine einem einen einer eines
  er erst es etwas euch fruher gestern euer eure fur gab geben gegen geht geschah geschehen gehen gibt haben habe hat hatte hatten
  heißt heute hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden
  jeder jedes jetzt kann kein keine keinen konnen konnte lassen machen macht man mal mehr mein meine
  meinem meinen meiner mich mir mit mochte muss mussen nach nicht nichts noch nun nur ob oder ohne passiert passierte
  sagen sagt sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sondern
  uber um und uns unser unsere unserem unseren unserer unter ursprunglich viel viele vom von vor vorher wann war waren
  warum was weil welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie
  wieso wieviel will wir wird wissen weiß wo wofur woher wohin wollen womit wozu wurde wurden zu
  zum zur zurzeit zuvor`

const spanish = `
  actual actualmente ahora al algo algun alguna algunas alguno algunos ante antes asi aun ayer aunque cada como con cosa cosas cual
  cuales cualquier cuando cuanta cuantas cuanto cuantos dar de debe deben debo decir del desde
  dice dijo donde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta
  estaba estan estar estas este esto estos estoy fue fueron ha haber habia hace hacen hacer hacia
  han hasta hay he hoy ir la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros nuestra
  nuestras nuestro nuestros o ocurrio otra otras otro otros para paso pero poco podemos poder por porque puede
  pueden puedo que quien quienes quiere quiero saber se sea segun ser si sin sobre solo somos son
  soy su sus tambien te tenemos tener tengo ti tiene tienen toda todas todo todos tu tus un una unas
  uno unos usa usamos usar usted va vamos y ya yo`

const french = `
  a actuel actuelle actuellement ai aller aujourd'hui alors as au aucun aussi autre aux avait avant avec avoir avons c'est ce cela celle celui ces cet
  cette chaque chez combien comme comment dans de depuis des dire dit doit dois donc dont du elle
  elles en encore es est et etait etaient ete etre eu eux faire fait faut hier il ils je la le les leur
  leurs lui ma maintenant mais me meme mes moi mon ne nos notre nous on ont ou par parce pas passa passe peu peut peux
  plus pour pourquoi pouvons qu qu'est quand que quel quelle quelles quels qui quoi s'est sa sans se sera ses si
  son sont sous sur ta te tes toi ton tous tout toute toutes tres tu un une utilise utiliser va veut
  veux vont vos votre vous y`

/** Longer phrases first: the first match of a text is removed. */
const chinese = `
  为什么 什么时候 什么 怎么样 怎么 怎样 多少 哪些 哪里 哪儿 哪个 是不是 有没有 能不能 可不可以 如何
  请问 告诉 吗 呢 吧`

const chinesePhrases = new RegExp(chinese.trim().split(/\s+/).join('|'), 'gu')

const isEnglish = toLookup(english)
const tables = {
  en: (word: string) => isEnglish(word) || isStopWord(word),
  de: toLookup(german),
  es: toLookup(spanish),
  fr: toLookup(french),
}
export type Language = keyof typeof tables
const languages = Object.keys(tables) as Language[]

/** The language with most function words among folded words; English wins ties. */
export function detectLanguage(words: readonly string[]): Language {
  const counts = languages.map((language) => words.filter(tables[language]).length)
  return languages[counts.indexOf(Math.max(...counts))] ?? 'en'
}

export function isFunctionWord(word: string, language: Language): boolean {
  return tables[language](word)
}

/** Replaces Chinese question words and particles, which no spaces separate. */
export function dropChineseFunctionWords(text: string): string {
  return text.replaceAll(chinesePhrases, ' ')
}

function toLookup(table: string): (word: string) => boolean {
  const words = new Set(table.trim().split(/\s+/))
  return (word) => words.has(word)
}
