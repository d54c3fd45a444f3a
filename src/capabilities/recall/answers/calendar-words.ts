/** Words of dates and times, folded. They select a time range and are no names. */
const words = `
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday
  mondays tuesdays wednesdays thursdays fridays saturdays sundays
  januar februar marz mai juni juli oktober dezember
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  lunes martes miercoles jueves viernes sabado domingo
  janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
  lundi mardi mercredi jeudi vendredi samedi dimanche
  spring summer autumn winter fruhling fruhjahr sommer herbst
  today yesterday tomorrow christmas easter`

const calendarWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
const year = /^(?:19|20)\d\d$/
const ordinalDay = /^\d{1,2}(?:st|nd|rd|th)$/
const isoDate = /^\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?$/

/** `word` is folded. */
export function isCalendarWord(word: string): boolean {
  return calendarWords.has(word) || year.test(word) || ordinalDay.test(word) || isoDate.test(word)
}
