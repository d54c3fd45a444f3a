/**
 * Time phrases of other languages, and the English phrase with the same meaning. The text is
 * folded; the first match of a phrase wins, so longer phrases come first.
 */
const germanUnits = [
  ['stunden?', 'hours'],
  ['tagen?', 'days'],
  ['wochen?', 'weeks'],
  ['monaten?', 'months'],
  ['jahren?', 'years'],
] as const

const german: readonly (readonly [string, string])[] = [
  ...germanUnits.map(
    ([german, english]) =>
      [
        `(?:in |wahrend )?(?:den|der|die) (?:letzten|vergangenen) (\\S+) ${german}`,
        `in the last $1 ${english}`,
      ] as const,
  ),
  ['heute (?:morgen|fruh|nachmittag|abend)', 'today'],
  ['heute', 'today'],
  ['vorgestern', 'day before yesterday'],
  ['gestern', 'yesterday'],
  ['ubermorgen', 'day after tomorrow'],
  [
    '(?:in der|in den|im|am|die|der|den|das)? ?(?:letzte|vorige|vergangene)[nrsm]? woche',
    'last week',
  ],
  ['(?:im|den)? ?(?:letzte|vorige|vergangene)[nrsm]? monat', 'last month'],
  ['(?:im)? ?(?:letzte|vorige|vergangene)[nrsm]? jahr', 'last year'],
  [
    '(?:am )?(?:letzte|vorige|vergangene)[nrsm]?(?= (?:mon|diens|donners|frei|sams|sonn)(?:tag|abend)| mittwoch)',
    'last',
  ],
  ['diese[rn]? woche', 'this week'],
  ['diese[nm] monat', 'this month'],
  ['diese[sm] jahr', 'this year'],
  ['(?:nachste|kommende)[nr]? woche', 'next week'],
  ['(?:nachste|kommende)[nm] monat', 'next month'],
  ['vor (\\S+) tag(?:en)?', '$1 days ago'],
  ['vor (\\S+) wochen?', '$1 weeks ago'],
  ['vor (\\S+) monat(?:en)?', '$1 months ago'],
  ['vor (\\S+) jahr(?:en)?', '$1 years ago'],
  [
    '(?:am|zum|zu) (?:jahresanfang|jahresbeginn|(?:anfang|beginn) des jahres)',
    'at the beginning of the year',
  ],
  ['anfang des jahres', 'at the beginning of the year'],
  ['(?:im|vom) (?:fruhling|fruhjahr)', 'in spring'],
  ['(?:im|vom) sommer', 'in summer'],
  ['(?:im|vom) herbst', 'in autumn'],
  ['(?:im|vom) winter', 'in winter'],
  ['seit(?: dem)?', 'since'],
  ['bis(?: zum)?', 'until'],
  ['(?:vor|bevor)(?: dem)?', 'before'],
  ['nach(?: dem)?', 'after'],
]

const spanish: readonly (readonly [string, string])[] = [
  ['esta manana|esta tarde|esta noche|hoy', 'today'],
  ['anteayer|antes de ayer', 'day before yesterday'],
  ['anoche|ayer', 'yesterday'],
  ['(?:en )?la semana pasada|(?:en )?la ultima semana', 'last week'],
  ['(?:en )?el mes pasado|(?:en )?el ultimo mes', 'last month'],
  ['(?:en )?el ano pasado', 'last year'],
  ['esta semana', 'this week'],
  ['este mes', 'this month'],
  ['este ano', 'this year'],
  ['la (?:proxima semana|semana que viene)', 'next week'],
  ['el (?:proximo mes|mes que viene)', 'next month'],
  ['hace (\\S+) dias?', '$1 days ago'],
  ['hace (\\S+) semanas?', '$1 weeks ago'],
  ['hace (\\S+) mes(?:es)?', '$1 months ago'],
  ['hace (\\S+) anos?', '$1 years ago'],
  ['(?:a|al) (?:principios?|comienzos?) (?:de|del) ano', 'at the beginning of the year'],
  ['en (?:la )?primavera', 'in spring'],
  ['en (?:el )?verano', 'in summer'],
  ['en (?:el )?otono', 'in autumn'],
  ['en (?:el )?invierno', 'in winter'],
  ['desde(?: el| la)?', 'since'],
  ['hasta(?: el| la)?', 'until'],
  ['antes de(?:l| la)?', 'before'],
  ['despues de(?:l| la)?', 'after'],
]

const french: readonly (readonly [string, string])[] = [
  ["ce matin|ce soir|cet apres-midi|aujourd'hui", 'today'],
  ['avant-hier', 'day before yesterday'],
  ['hier(?: soir)?', 'yesterday'],
  ['la semaine (?:derniere|passee)', 'last week'],
  ['le mois (?:dernier|passe)', 'last month'],
  ["l'an(?:nee)? (?:derniere?|passee?)", 'last year'],
  ['((?:lun|mar|mercre|jeu|vendre|same)di|dimanche) (?:dernier|passe)', 'last $1'],
  ['cette semaine', 'this week'],
  ['ce mois(?:-ci)?', 'this month'],
  ['cette annee', 'this year'],
  ['la semaine prochaine', 'next week'],
  ['le mois prochain', 'next month'],
  ['il y a (\\S+) jours?', '$1 days ago'],
  ['il y a (\\S+) semaines?', '$1 weeks ago'],
  ['il y a (\\S+) mois', '$1 months ago'],
  ['il y a (\\S+) ans?', '$1 years ago'],
  ["au debut de l'annee", 'at the beginning of the year'],
  ['au printemps', 'in spring'],
  ["en ete|cet ete|l'ete dernier", 'in summer'],
  ['en automne', 'in autumn'],
  ['en hiver', 'in winter'],
  ['depuis(?: le)?', 'since'],
  ["jusqu'(?:a|en|au)", 'until'],
  ['avant(?: le)?', 'before'],
  ['apres(?: le)?', 'after'],
]

const chinese: readonly (readonly [string, string])[] = [
  ['今天|今早|今晚', 'today'],
  ['大前天', '3 days ago'],
  ['前天', 'day before yesterday'],
  ['昨天|昨晚', 'yesterday'],
  ['后天', 'day after tomorrow'],
  ['明天', 'tomorrow'],
  ['上个?(?:周|星期|礼拜)([一二三四五六日天])', 'weekday$1 of last week'],
  ['上个?(?:周|星期|礼拜)', 'last week'],
  ['(?:这|本)个?(?:周|星期|礼拜)', 'this week'],
  ['下个?(?:周|星期|礼拜)', 'next week'],
  ['上个?月', 'last month'],
  ['这个?月|本月', 'this month'],
  ['下个?月', 'next month'],
  ['去年', 'last year'],
  ['今年', 'this year'],
  ['([0-9一二两三四五六七八九十]+)天前', '$1 days ago'],
  ['([0-9一二两三四五六七八九十]+)个?(?:周|星期|礼拜)前', '$1 weeks ago'],
  ['([0-9一二两三四五六七八九十]+)个?月前', '$1 months ago'],
  ['([0-9一二两三四五六七八九十]+)年前', '$1 years ago'],
  ['年初', 'at the beginning of the year'],
  ['(?:在)?春(?:天|季)', 'in spring'],
  ['(?:在)?夏(?:天|季)', 'in summer'],
  ['(?:在)?秋(?:天|季)', 'in autumn'],
  ['(?:在)?冬(?:天|季)', 'in winter'],
  ['(十一|十二|[一二三四五六七八九十]|1[0-2]|[1-9])月份?(?![0-9])', 'in month$1'],
  ['(?:周|星期|礼拜)([一二三四五六日天])', 'on weekday$1'],
]

export const phraseTables = { de: german, es: spanish, fr: french, zh: chinese } as const

/** Months and weekdays by their number from 0, folded. */
export const monthNames = [
  'january januar enero janvier jan',
  'february februar febrero fevrier feb',
  'march marz marzo mars mar',
  'april abril avril apr',
  'may mai mayo',
  'june juni junio juin jun',
  'july juli julio juillet jul',
  'august agosto aout aug',
  'september septiembre septembre sep sept',
  'october oktober octubre octobre oct okt',
  'november noviembre novembre nov',
  'december dezember diciembre decembre dec dez',
].map((names) => names.split(' '))

export const weekdayNames = [
  'monday montag lunes lundi',
  'tuesday dienstag martes mardi',
  'wednesday mittwoch miercoles mercredi',
  'thursday donnerstag jueves jeudi',
  'friday freitag viernes vendredi',
  'saturday samstag sonnabend sabado samedi',
  'sunday sonntag domingo dimanche',
].map((names) => names.split(' '))

export const chineseWeekdays = '一二三四五六日'

/** Number words by their value. */
export const numberNames = [
  '',
  'a an one ein einem einer un una une uno 一',
  'two couple zwei dos deux 二 两',
  'three drei tres trois 三',
  'four vier cuatro quatre 四',
  'five funf cinco cinq 五',
  'six sechs seis 六',
  'seven sieben siete sept 七',
  'eight acht ocho huit 八',
  'nine neun nueve neuf 九',
  'ten zehn diez dix 十',
  'eleven elf once onze 十一',
  'twelve zwolf doce douze 十二',
].map((names) => names.split(' '))
