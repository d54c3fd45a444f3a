/** The kind of value that a question needs. A text without such a value is no answer. */
export type AnswerType =
  | 'amount'
  | 'number'
  | 'duration'
  | 'time'
  | 'frequency'
  | 'colour'
  | 'contact'
  | 'name'
  | 'person'

interface QuestionForm {
  readonly type: AnswerType
  /** Folded patterns of languages with spaces. */
  readonly spaced: readonly string[]
  readonly chinese?: RegExp
}

const things = '.{1,60}'

/** Folded forms of questions; the first match decides. */
export const questionForms: readonly QuestionForm[] = [
  {
    type: 'colour',
    spaced: [
      '(?:what|which) colou?rs?',
      'welche farben?',
      '(?:de )?que color',
      '(?:de )?quelle couleur',
    ],
    chinese: /什么颜色|哪种颜色/u,
  },
  {
    type: 'frequency',
    spaced: [
      'how (?:often|frequently)',
      'wie (?:oft|haufig)',
      'con que frecuencia',
      'cada cuanto',
      'a quelle frequence',
    ],
  },
  {
    type: 'amount',
    spaced: [
      'how expensive',
      `how much (?:is|are|was|were|rent)`,
      `how much (?:does|do|did|will) ${things} (?:cost|charge|pay|earn)`,
      `what (?:does|do|did|will|would) ${things} (?:cost|charge|earn)`,
      `what (?:do|did|does) ${things} pay .*(?:for|per|an?|each) .*`,
      '(?:what|which) (?:is|are|was|were) the (?:price|cost|fee|rent|salary)',
      'wie teuer',
      '(?:was|wie ?viel) (?:kostet|kosten|kostete|kosteten|verdient|bezahlen|zahlen)',
      'welche[nr]? (?:preis|lohn|gehalt|miete)',
      'cuanto (?:cuesta|cuestan|costo|costaron|vale|pagamos|gana|cobra)',
      'que (?:precio|sueldo)',
      `combien (?:coute|coutent|a coute|gagne|payons|${things} (?:coute|coutent))`,
      'quel (?:prix|salaire|loyer)',
    ],
    chinese: /多少钱|什么价|价格|几块钱/u,
  },
  {
    type: 'contact',
    spaced: [
      '(?:phone|telephone|mobile) number',
      'e-?mail(?: address)?(?= of|$|\\?)',
      'telefonnummer',
      'numero de tele(?:fono|phone)',
    ],
  },
  {
    type: 'duration',
    spaced: ['how long', 'wie lange?', 'cuanto (?:tiempo|dura|duran|tarda)', 'combien de temps'],
  },
  {
    type: 'number',
    spaced: [
      'how (?:many|much|old|tall|big|large|far|heavy|wide|deep|high|fast)',
      '(?:what|which) (?:version|port|percentage|share|weight|speed|temperature|size|dose|limit|budget|resolution)',
      'wie ?viele?',
      'wie (?:alt|gross|hoch|weit|breit|schwer|tief|schnell)',
      'welche[nrs]? (?:version|port|gewicht|temperatur|grosse|dosis|budget)',
      'cuant[oa]s?',
      'que (?:version|puerto|peso|temperatura|tamano|edad)',
      'combien',
      'quel(?:le)? (?:version|port|poids|temperature|taille|age)',
    ],
    chinese: /多少|几[个台年岁次人位天箱]|多[大长高重远]/u,
  },
  {
    type: 'time',
    spaced: [
      '(?:at )?what time',
      '(?:what|which) (?:date|day|month|year)',
      'when (?:is|are|does|do|will|can|must|should|may)',
      '(?:until|since|from|by) when',
      '(?:bis |seit |ab )?wann(?! (?:war|waren|wurde|wurden|hat|haben|ist .*(?:ge\\p{L}+t|ge\\p{L}+en)))',
      'um wie ?viel uhr',
      'an welche[mn] tag',
      'a que hora',
      'que dia',
      '(?:hasta |desde )?cuando (?:es|son|sera|empieza|termina|abre|cierra|tiene|hay)',
      'a quelle heure',
      'quel jour',
      "(?:jusqu'a |depuis )?quand (?:est|sont|sera|commence|finit)",
    ],
    chinese: /几点|哪天|什么时候(?![^?？]*[了过])/u,
  },
  {
    type: 'name',
    spaced: [
      `what (?:is|are|was) ${things} (?:called|named)`,
      `what(?:'s| is| are| was) the name of`,
      '(?:which|what) (?:brand|make|breed)',
      'welche (?:marke|rasse)',
      'que (?:marca|raza)',
      'quelle (?:marque|race)',
      'como se llaman?',
      "comment s'appelle",
    ],
  },
  {
    type: 'person',
    spaced: [
      'who (?!is|are|was|were|am)\\p{L}+',
      "who(?:'s| is| are| was) (?:the|our|my|in|on|at|responsible|doing|making|taking)",
    ],
  },
]

const cardinals = `
  two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
  million half quarter dozen couple
  zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig vierzig funfzig sechzig
  hundert tausend halb viertel dutzend
  dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cuarenta cincuenta cien mil
  deux trois quatre sept huit neuf dix onze douze vingt trente quarante cinquante cent mille demi`

/** Articles and pronouns that are numbers too, and words for all or none. */
const quantities = `
  zero one both single once twice none no every all several few double third
  null ein eine einen einem einer eins halbe halber beide kein keine einmal zweimal
  cero un una uno medio media ambos ningun ninguno ninguna
  une aucun aucune`

const amounts = `
  free gratis nothing included twenty thirty forty fifty sixty seventy eighty ninety hundred
  thousand million euro euros dollar dollars pound pounds cents quid
  kostenlos umsonst inklusive zwanzig dreissig vierzig funfzig hundert tausend
  gratuito incluido veinte treinta cincuenta cien mil
  gratuit inclus vingt trente cinquante cent mille`

const times = `
  morning mornings noon afternoon afternoons evening evenings night nights midnight weekend weekends
  week weekday weekdays month year day days daily weekly monthly yearly tonight immediately never
  always sunrise sunset dusk dawn lunch dinner
  morgen morgens mittag mittags nachmittag nachmittags abend abends nacht nachts wochenende woche
  monat jahr tag taglich wochentlich monatlich sofort nie immer
  manana tarde noche mediodia semana mes ano dia diario semanal mensual nunca siempre
  matin midi soir nuit semaine mois jour an quotidien hebdomadaire mensuel jamais toujours`

const units = `
  ms millisecond milliseconds s sec second seconds min mins minute minutes h hour hours day days
  night nights week weeks month months quarter quarters year years decade forever always until
  mm cm m km metre metres meter meters kilometre kilometres mile miles foot feet inch inches
  weekend term season lifetime
  sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten
  jahr jahre jahren bis immer
  segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos hasta siempre
  seconde secondes heure heures jour jours semaine semaines mois an ans jusqu toujours`

const frequencies = `
  every each daily weekly monthly yearly hourly nightly per never always continuously constantly
  week weeks day days month months nothing
  jede jeden jeder jedes taglich wochentlich monatlich stundlich nachtlich pro nie immer
  cada diario diariamente semanal semanalmente mensual por nunca siempre
  chaque quotidien par jamais toujours hebdomadaire`

const colours = `
  red green blue yellow black white grey gray brown orange purple violet pink turquoise teal cyan
  magenta beige gold golden silver navy maroon olive ivory cream crimson transparent colour color
  farbe couleur
  rot rote roten roter grun grune grunen gruner blau blaue blauen blauer gelb gelbe gelben schwarz
  schwarze schwarzen weiss weisse weissen grau graue grauen braun braune braunen lila rosa turkis
  silber silbern golden
  rojo roja verde azul amarillo amarilla negro negra blanco blanca gris marron naranja morado rosado
  rouge vert verte bleu bleue jaune noir noire blanc blanche brun`

const people = `
  i we you he she they me us my our your his their someone somebody everyone everybody anyone nobody
  mother father mum dad parents sister brother son daughter grandma grandpa aunt uncle cousin wife
  husband friend boss team staff company guest child children kid kids boy girl man men woman women
  people neighbour neighbours student students nurse chef crew council committee
  ich wir er sie ihr mutter vater schwester bruder sohn tochter oma opa tante onkel chef team
  yo nosotros ella ellos madre padre hermana hermano hijo hija equipo
  je nous il elle ils mere pere soeur frere fils fille equipe`

/** Words that begin a sentence and are no names. */
const sentenceStarts = `
  the a an this that these those it its we i you he she they there here new old since from until when
  while if for in on at by of to with and but or not no from as after before every each all some any
  please never always now today only just also our my your his her their what who how why where which
  both most many one two three first last next still once thanks note notes yes`

export const valueWords = {
  number: toSet(`${cardinals} ${quantities}`),
  amount: toSet(amounts),
  time: toSet(`${times} ${cardinals}`),
  unit: toSet(units),
  frequency: toSet(`${frequencies} ${cardinals} ${quantities}`),
  colour: toSet(colours),
  person: toSet(people),
  sentenceStart: toSet(sentenceStarts),
} as const

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
