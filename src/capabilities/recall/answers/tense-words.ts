import { detectLanguage, fold, splitWords } from '../../../search/index.ts'

/** Folded words and phrases of a question about the past. */
const past = `
  before|used to|originally|back then|previously|previous|formerly|former|earlier|in the past|at first|
  initially|at that time|no longer|old|once|until then|prior to|
  vorher|fruher|fruhere|fruheren|fruherer|damals|ursprunglich|zuvor|ehemals|ehemalige|vorherige|
  bevor|anfangs|zuerst|einst|alte|alten|
  antes|anteriormente|anterior|originalmente|al principio|en el pasado|entonces|antiguo|antigua|
  inicialmente|previamente|
  avant|auparavant|autrefois|jadis|ancien|ancienne|au debut|precedemment|initialement|a l'origine`

const present = `
  current|currently|presently|at present|now|nowadays|today|still|at the moment|these days|latest|newest|right now|as of now|
  jetzt|derzeit|aktuell|aktuelle|aktuellen|aktueller|momentan|heute|immer noch|gegenwartig|inzwischen|
  mittlerweile|neueste|
  ahora|actualmente|actual|hoy|todavia|hoy en dia|en este momento|ultimo|ultima|
  maintenant|actuellement|actuel|actuelle|aujourd'hui|toujours|en ce moment|dernier|derniere`

/** Words of a question about the first state. */
const original = `
  originally|at first|initially|in the beginning|
  ursprunglich|anfangs|zuerst|zu beginn|
  originalmente|al principio|inicialmente|
  a l'origine|au debut|initialement|au depart`

/** Verbs of a question about an event, which later events do not replace. */
const event = `
  did|was|were|had|happened|came|went|said|
  war|waren|wurde|wurden|hatte|hatten|ging|kam|passierte|geschah|
  fue|fueron|era|eran|estaba|estaban|hubo|habia|paso|dijo|
  etait|etaient|fut|avait|avaient|a ete|ont ete|s'est passe`

/** Words of a text that announces a change. */
const change = `
  now|new|no longer|any more|anymore|instead|switched|replaced|replaces|moved|moves|changed|changes|
  from now on|as of|since|removed|deleted|switched off|shut down|lowered|raised|took over|takes over|
  sold|gave up|migrated|renamed|retired|stopped|becomes|became|goes up|went up|goes down|went down|
  cancelled|canceled|postponed|after all|starts again|ends|ended|goes back to|back to|went back to|
  no more|any longer|correction|corrected|instead of|in place of|rewritten|rewrote|rewrite|reinstalled|
  upgraded|converted|merged|swapped|scrapped|abandoned|extended|shortened|increased|reduced|doubled|
  halved|tripled|rises to|rose to|drops to|dropped to|falls to|fell to|grows to|grew to|cut to|is history|
  agreed on|settled on|hands over|handed over|took over from|succeeds|until further notice|
  switches|switching|switch to|swaps|migrates|replacing|relocated|renames|rebranded|turns into|turned into|
  slips|slipped|delayed|postpones|pushed back|pushed to|brought forward|put off|rescheduled|
  cut the|cuts the|trimmed|slashed|bumped|raises|lowers|rises|dropped from|up from|down from|
  from today|as from|effective|the old|our old|my old|
  jetzt|neu|neue|neuer|neues|nicht mehr|stattdessen|umgestellt|gewechselt|ersetzt|ab sofort|seit|
  geandert|abgeschaltet|umgezogen|ab jetzt|verkauft|verschoben|gekundigt|abgesagt|doch nicht|steigt auf|
  nun|kunftig|fortan|inzwischen|mittlerweile|korrektur|berichtigung|statt|anstelle|abgelost|ubernimmt|
  ubernommen|erhoht|gesenkt|angehoben|sinkt auf|verlangert|verkurzt|verdoppelt|halbiert|einigten uns auf|
  umgebaut|aktualisiert|wechselt|wechseln|wechselte|wechselten|eingestellt|zuruck zu|bis auf weiteres|
  zieht um|ziehen um|zog um|zogen um|verlegt|vorverlegt|vorgezogen|verschiebt sich|verzogert sich|
  umbenannt|heisst jetzt|migriert|ersetzen|ersetzte|steigt von|sinkt von|kurzt|gekurzt|ab heute|ab montag|
  der alte|die alte|das alte|den alten|die alten|unser alter|unsere alte|
  ahora|nuevo|nueva|ya no|en vez de|en lugar de|cambiado|cambio|cambiamos|desde|a partir de|
  reemplazado|sustituido|cancelado|aplazado|sube a|baja a|correccion|actualizado|actualizamos|ampliado|
  reducido|aumenta|aumento a|se reduce|duplica|acordamos|asume|releva|en adelante|pasa a|paso a|cambia|
  dejamos de|ya solo|hasta nuevo aviso|se muda|se mudo|nos mudamos|mudado|trasladado|se traslada|migramos|
  migrado|cambian|reemplaza|reemplazamos|sustituye|se retrasa|retrasado|se adelanta|renombrado|subio a|
  bajo a|recorto|desde hoy|el viejo|la vieja|el antiguo|la antigua|
  maintenant|nouveau|nouvelle|ne plus|desormais|remplace|change|depuis|a partir de|au lieu de|annule|reporte|passe a|
  correction|remplacee|prolonge|reduit|augmente|double|finalement|reprend|jusqu'a nouvel ordre`

/** Words of a text that says what became of something. */
const end = `
  left|leaves|leaving|farewell|goodbye|gone|goes|off to|bankrupt|insolvent|went under|closed|closes|quit|quits|
  resigned|fired|died|dead|failed|fails|dropped|drops|refused|rejected|withdrew|expired|ran out|broke|broken|
  another|different|only as|spare|backup|too expensive|too slow|too hard|retired|retires|pensioner|
  verlasst|verlassen|abschied|weg|pleite|insolvent|geschlossen|schliesst|kundigt|gestorben|tot|kaputt|
  ausgefallen|abgelehnt|abgelaufen|andere|anderer|anderes|anderen|nur noch|in rente|im ruhestand|
  deja|dejo|se fue|se va|despedida|cerro|cerrado|cierra|quiebra|murio|fallo|rechazo|vencio|otro|otra|solo como|se jubilo|se jubila|jubilado|jubilada|
  quitte|parti|partie|adieu|ferme|faillite|mort|morte|panne|refuse|expire|autre|retraite`

/** Words of a text about a passing time, or an exception. */
const passing = `
  this week|this weekend|this month|this time|this once|this one|just once|only once|for once|exception|exceptionally|
  this (?:mon|tues|wednes|thurs|fri|satur|sun)day|next (?:mon|tues|wednes|thurs|fri|satur|sun)day|
  tomorrow|tomorrow's|yesterday|last night|last week|tonight|one-off|extra|borrowed|lent|rented|
  diese woche|dieses wochenende|diesen monat|dieses mal|diesmal|ausnahmsweise|ausnahme|einmalig|gestern|heute abend|
  diesen (?:mon|diens|donners|frei|sams|sonn)tag|diesen mittwoch|letzte woche|letzten monat|
  esta semana|esta vez|esta noche|este mes|este fin de semana|excepcionalmente|excepcion|ayer|anoche|
  este (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|
  cette semaine|cette fois|ce mois-ci|ce soir|exceptionnellement|exception|hier|demain|
  ce (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)`

const chinesePassing = /这[次周个]|本周(?!起)|例外|昨天|明天|今晚|破例|仅此/u

const chineseEnd = /离开|离职|辞职|退休|倒闭|破产|关门|关闭|去世|坏了|到期|失败|另外|换/u

const chinesePast = /以前|之前|原来|过去|当时|曾经|最初|从前|起初/u
const chineseOriginal = /最初|起初|一开始/u
const chineseEvent = /[了过]/u
const chinesePresent = /现在|目前|如今|当前|今天|眼下|仍然|最新/u
const chineseChange =
  /现在|改成|改为|换成|换了|换到|改用|改到|改在|改由|推迟|提前到|迁移|迁到|替换|改名|涨到|降到|起改|不再|新的|从今|今后|搬到|搬家|取消|停用|已经|更正|升级|调整|接替|接手|接任/u

const germanWhat = /(?<!\p{L})was(?!\p{L})/gu

const patterns = {
  original: toPattern(original),
  past: toPattern(past),
  event: toPattern(event),
  present: toPattern(present),
  change: toPattern(change),
  end: toPattern(end),
  passing: toPattern(passing),
}

/** What a question is about: the first or an earlier state, an event, the state now, or nothing of these is said. */
export type Tense = 'original' | 'past' | 'event' | 'present' | 'unspecified'

export function readTense(question: string): Tense {
  const text = fold(question)
  if (patterns.original.test(text) || chineseOriginal.test(text)) return 'original'
  if (patterns.past.test(text) || chinesePast.test(text)) return 'past'
  if (hasEventVerb(text) || chineseEvent.test(text)) return 'event'
  if (patterns.present.test(text) || chinesePresent.test(text)) return 'present'
  return 'unspecified'
}

/** Whether a question has a verb of the past. */
export function isAboutEvent(question: string): boolean {
  return hasEventVerb(fold(question))
}

/** The German "was" is no verb. */
function hasEventVerb(folded: string): boolean {
  const isGerman = detectLanguage(splitWords(folded)) === 'de'
  return patterns.event.test(isGerman ? folded.replaceAll(germanWhat, '') : folded)
}

/** Whether the text says that something has changed. */
export function announcesChange(text: string): boolean {
  const folded = fold(text)
  return patterns.change.test(folded) || chineseChange.test(folded)
}

/** Whether the text says that something has ended. */
export function announcesEnd(text: string): boolean {
  const folded = fold(text)
  return patterns.end.test(folded) || chineseEnd.test(folded)
}

/** Whether the text is about a passing time or an exception. */
export function isPassing(text: string): boolean {
  const folded = fold(text)
  return patterns.passing.test(folded) || chinesePassing.test(folded)
}

function toPattern(table: string): RegExp {
  const phrases = table.split('|').map((phrase) => phrase.trim())
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${phrases.join('|')})(?![\p{L}\p{N}])`, 'u')
}
