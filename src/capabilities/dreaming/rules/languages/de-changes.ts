import type { Frame } from '../language-table.ts'

const be = 'bin|ist'
const have = 'habe|hat'
const now =
  'jetzt|nun|inzwischen|mittlerweile|neuerdings|ab_sofort|ab_jetzt|ab_heute|seit_neuestem|seit_kurzem'
const live = 'wohne|wohnt|lebe|lebt'
const work = 'arbeite|arbeitet'
const use = 'benutze|benutzt|verwende|verwendet|nutze|nutzt|nehme|nimmt'
const noLonger = 'nicht_mehr|nicht_länger'
const at = 'bei|beim|bei_der|bei_dem|für|für_die|für_den'
const to = 'auf|zu|zum|zur|nach'
const abandonVerbs =
  'abgeschafft|deinstalliert|aufgegeben|gekündigt|gelöscht|verbannt|ausgemustert|rausgeworfen|hinter_mir_gelassen|abgelegt|verlassen'

/** Announcements of changes in the life of a person. */
export const germanChanges: readonly Frame[] = [
  {
    rule: 'went_to',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    needsFrom: true,
    unless: `party, fest, feier, büro, besprechung, meeting, termin, sitzung, konferenz, konzert, restaurant, kino, haus, früh, früher, kurz`,
    patterns: [
      `<S> bin|ist ~ von <F> zu|zur|zum <V> gegangen`,
      `<S> ${have} ~ <F> verlassen und bin|ist ~ zu|zur|zum <V> gegangen|gewechselt`,
    ],
  },
  {
    rule: 'moved_home',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> ${be} ~ [zurück] [von|aus <F>] nach|in ~ <V> gezogen|umgezogen|umgesiedelt|übersiedelt|zurückgezogen|weitergezogen|ausgewandert`,
      `<S> ~ ${live} ~ ${noLonger} in <F> , sondern [${now}] in <V>`,
      `<S> ~ ${live} ~ in <V> statt|anstatt in <F>`,
      `<ME> <V> ist ~ mein zuhause|wohnort`,
      `<S> ~ zog ~ [von|aus <F>] nach|in ~ <V> um|zurück`,
      `<ME> [mein|meine] neuer|neue|neues wohnort|adresse|anschrift|zuhause|wohnung|stadt ~ [seit|ab <SKIP>] <COLON> [in] <V>`,
      `<SS> ~ neuer|neue|neues wohnort|adresse|zuhause|heimat ~ ist|heißt ~ [in] <V>`,
    ],
  },
  {
    rule: 'home_after_move',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    after: 'umgezogen, umzug, neue wohnung, neues haus, neues zuhause, ausgezogen, umgesiedelt',
    patterns: [
      `<ME> ich|wir bin|sind|wohnen ~ in <V>`,
      `<S> bin ~ in <V>`,
      `<ME> jetzt in <V>`,
      `<ME> [die|meine|das|mein] neue|neues wohnung|haus|zuhause|adresse ~ ist|liegt ~ [in] <V>`,
    ],
  },
  {
    rule: 'employer_after_change',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    after: `neuer job, neuen job, job gewechselt, arbeitgeber gewechselt, neue stelle, stelle gewechselt, gekündigt, stellenwechsel, jobwechsel, neuer arbeitgeber, neuen arbeitgeber`,
    patterns: [
      `<ME> ich ${be} ~ bei|beim|bei_der <V>`,
      `<ME> ${be} ~ bei|beim|bei_der <V>`,
      `<ME> [der|die] neue|neuer arbeitgeber|firma|stelle ~ ist|heißt ~ [bei] <V>`,
    ],
  },
  {
    rule: 'joined_now',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> ${be} ! bei|beim|bei_der <V>`,
      `~ ${be} <S> ~ bei|beim|bei_der <V> angestellt|beschäftigt|tätig|unter_vertrag`,
      `<S> ${be} ~ seit <SKIP> bei|beim|bei_der <V>`,
      `seit|ab <SKIP> ${be} <S> ~ bei|beim|bei_der <V>`,
      `seit|ab <SKIP> ${work} <S> ~ ${at} <V>`,
      `<S> ~ ${work} ~ ${noLonger} ${at} <F> , sondern [${now}] ${at} <V>`,
      `<S> ${be} ~ ${noLonger} bei|beim|bei_der <F> , sondern [${now}] bei|beim|bei_der <V>`,
      `${now} ${work}|${be} <S> ~ ${at} <V>`,
      `<ME> [mein|meine] neuer|neue|neues arbeitgeber|firma|job|stelle ~ [seit|ab <SKIP>] <COLON> [bei|beim] <V>`,
      `<S> ${have} ~ bei|beim|bei_der <V> ~ [neu] angefangen|begonnen|angeheuert|unterschrieben`,
      `<S> ${have} ~ zu|zur|zum <V> gewechselt`,
      `<S> ${be} ~ von <F> zu|zur|zum <V> gewechselt|gegangen`,
    ],
  },
  {
    rule: 'became',
    slot: 'role',
    value: 'role',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> ${be}|wurde ~ [zum|zur] <V> befördert|ernannt|gemacht|geworden|aufgestiegen`,
      `<S> ${be} ! <V>`,
    ],
  },
  {
    rule: 'new_noun',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `<ME> [mein|meine] neuer|neue|neues|neuen <N> <COLON> <V>`,
      `<SS> ^ <N> ~ ist|heißt|lautet ~ nicht_mehr|nicht <F> , sondern [${now}] <V>`,
      `<S> ${have} ~ <SS>|den|die|das ^ <N> ~ gewechselt <COLON>|, [${now}] <V>`,
      `als ^ <N> ${use} <S> ! <V>`,
    ],
  },
  {
    rule: 'changed_over',
    slot: undefined,
    fallback: 'uses',
    value: 'tool',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `statt|anstatt|anstelle_von <F> ${use} <S> ~ <V>`,
      `<S> ~ ${use} ~ <V> statt|anstatt|anstelle_von <F>`,
      `<S> ~ ${use} ~ nicht_mehr <F> , sondern [${now}] <V>`,
      `<F> ${have} <S> ~ durch|gegen <V> ersetzt|abgelöst|getauscht|eingetauscht|ausgetauscht`,
      `<S> ${have} ~ <F> ~ durch|gegen <V> ersetzt|abgelöst|getauscht|eingetauscht|ausgetauscht`,
      `von <F> ${be} <S> ~ ${to} <V> umgestiegen|gewechselt|umgeschwenkt`,
      `<S> ${be} ~ von <F> ${to} <V> umgestiegen|gewechselt|umgeschwenkt|umgezogen`,
      `<V> ${have} ~ bei_mir <F> ersetzt|abgelöst`,
    ],
  },
  {
    rule: 'went_back',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<S> ${be} ~ ${to} <V> zurückgekehrt|zurückgewechselt|zurückgegangen|zurück|umgeschwenkt|übergegangen`,
      `<S> ${be} ~ zurück bei|beim|auf|in <V>`,
    ],
  },
  {
    rule: 'over',
    slot: undefined,
    value: 'property',
    change: 'end',
    isEvent: true,
    patterns: [
      `<S> ${have} ~ ${at} <V> ~ gekündigt|aufgehört|hingeschmissen|abgeschlossen`,
      `bei|beim|bei_der|mit <V> ${have} <S> ~ gekündigt|aufgehört|abgeschlossen|hingeschmissen`,
      `<S> ${have} ~ <V> ~ ${abandonVerbs}`,
      `<V> ${have} <S> ~ ${abandonVerbs}`,
      `mit <V> ${be} <S> ~ durch|fertig ~ $`,
      `<ME> <V> ist ~ bei_mir ~ rausgeflogen|raus|gelöscht`,
      `<S> ${have} ~ dem|der <V> den_rücken_gekehrt`,
      `<SS> ~ zeit|vertrag|stelle|job bei|beim|bei_der <V> ist ~ vorbei|beendet|ausgelaufen|zu_ende`,
      `von <V> ${be} <S> ~ weg|los|runter`,
      `<S> ${be} ~ <V> los`,
      `<S> ${be} ~ weg|runter|ausgestiegen von|aus <V>`,
      `<S> ${be} ~ bei|beim|aus|von <V> ausgestiegen|weg|ausgeschieden|ausgetreten|weggezogen|raus`,
      `<S> ~ brauche|braucht|habe|hat ~ <V> ${noLonger}`,
      `<S> ~ komme|kommt ~ ohne <V> ~ aus`,
      `<S> ~ verzichte|verzichtet ~ [jetzt|nun|inzwischen] ~ auf <V>`,
      `<S> ~ ${live} ~ ${noLonger} in <V>`,
      `bei|beim|bei_der|in|auf <V> ${be}|${work}|${live} <S> ~ ${noLonger}`,
      `<S> ~ wurde ~ bei|von|beim <V> entlassen|gekündigt|rausgeworfen`,
      `<ME> <V> ist ~ geschichte|vorbei|passé|vergangenheit ~ $`,
    ],
  },
]
