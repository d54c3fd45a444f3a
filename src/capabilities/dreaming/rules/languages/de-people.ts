import type { Frame } from '../language-table.ts'

const be = 'bin|ist|bleibe|bleibt'
const isNow = 'ist|bleibt|lautet|heißt|heisst'
const have = 'habe|hat'
const live = 'wohne|wohnt|lebe|lebt|residiere|residiert'
const work = 'arbeite|arbeitet|jobbe|jobbt'
const use = 'benutze|benutzt|verwende|verwendet|nutze|nutzt|gebrauche|gebraucht'
const more = 'nicht_mehr|nicht_länger'
const changed =
  'gewechselt|geändert|umgestellt|verlegt|verschoben|umgezogen|migriert|geändert_worden|geaendert|gelegt|angehoben|gesenkt|gesetzt|übergegangen'
const moved =
  'umgestiegen|umgestellt|migriert|umgezogen|portiert|gewechselt|verlegt|überführt|umgeschrieben'
const to = 'auf|zu|nach|in|an|zum|zur'

/** Statements about people. */
export const germanPeople: readonly Frame[] = [
  {
    rule: 'lives_in',
    slot: 'lives_in',
    value: 'place',
    patterns: [
      `<S> ~ ${live} ~ in <V>`,
      `~ ${live} <S> ~ in <V>`,
      `seit <SKIP> ${live} <S> ~ in <V>`,
      `<S> ~ ${live} ~ seit <SKIP> in <V>`,
      `<S> ~ ${be} ~ in <V> zu_hause|zuhause|daheim|ansässig|wohnhaft|gemeldet`,
      '<S> ~ ist|bin ~ wohnhaft|ansässig|zu_hause|zuhause ~ in <V>',
      `<SS> ^ adresse ~ ${isNow} ~ in <V>`,
      `<SS> zuhause|wohnort|adresse|zu_hause|heimat|wohnsitz|wohnung|haus ~ ${isNow}|liegt ~ [in] <V>`,
      `in <V> ${live} <S>`,
    ],
  },
  {
    rule: 'moved_to',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> bin|ist ~ [von <F>] nach <V> gezogen|umgezogen|übersiedelt|gewechselt`,
      `~ bin|ist <S> ~ [von <F>] nach <V> gezogen|umgezogen|übersiedelt`,
      '<S> ~ zog ~ [von <F>] nach <V>',
      `<S> ${have} ~ <SS> wohnsitz nach <V> verlegt`,
    ],
  },
  {
    rule: 'left_place',
    slot: 'lives_in',
    value: 'place',
    change: 'end',
    patterns: [`<S> ~ ${live} ~ ${more} in <V>`, '<S> bin|ist ~ aus <V> weggezogen|fortgezogen'],
  },
  {
    rule: 'works_at',
    slot: 'works_at',
    value: 'organization',
    patterns: [
      `<S> ~ ${work} ~ bei|für|beim|bei_der|bei_dem <V>`,
      `~ ${work} <S> ~ bei|für|beim|bei_der|bei_dem <V>`,
      `seit <SKIP> ${work} <S> ~ bei|für|beim|bei_der|bei_dem <V>`,
      `<S> ~ ${work} ~ seit <SKIP> bei|für|beim|bei_der|bei_dem <V>`,
      `<S> ~ ${work} ~ als <ROLE> bei|für|beim|in|am <V>`,
      `<S> ~ ${be} <ROLE> bei|beim|am <V>`,
      `<S> ~ ${be} ~ [fest] angestellt|beschäftigt|tätig ~ bei|für|beim|bei_der|bei_dem <V>`,
      `<S> ~ ${be} ~ bei|beim <V> angestellt|beschäftigt|tätig|unter_vertrag`,
      `<SS> ~ [neuer|neue|jetziger|aktueller|derzeitiger] arbeitgeber|firma ~ ${isNow} ~ <V>`,
      `der [neue|jetzige|aktuelle|derzeitige] arbeitgeber von <S> ~ ${isNow} ~ <V>`,
      `<V> ist ~ <SS> ~ [neuer|neue|jetziger|aktueller] arbeitgeber`,
      '<S> ~ verdiene|verdient <SKIP> geld|brot bei <V>',
    ],
  },
  {
    rule: 'joined',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> ${have} ~ bei <V> angefangen|begonnen|angeheuert|unterschrieben`,
      `<S> ${have} ~ [eine|die] [neue] stelle|job|arbeit bei <V> angetreten|angenommen|angefangen|begonnen`,
      `<S> bin|ist ~ [von <F>] zu|zur|zum <V> gewechselt|gegangen`,
      `~ bin|ist <S> ~ [von <F>] zu|zur|zum <V> gewechselt|gegangen`,
      '<S> ~ wechselte ~ [von <F>] zu|zur|zum <V>',
      `<S> ${have} ~ <F> verlassen und|, ~ ${work} ~ bei|für <V>`,
    ],
  },
  {
    rule: 'left_employer',
    slot: undefined,
    value: 'organization',
    change: 'end',
    isEvent: true,
    patterns: [
      `<S> ~ ${work} ~ ${more} bei|für|beim|bei_der|bei_dem <V>`,
      `<S> ${be} ~ ${more} bei|beim|bei_der <V> [angestellt|beschäftigt|tätig]`,
      `<S> ${have} ~ <V> verlassen`,
      `<S> ${have} ~ bei <V> gekündigt|aufgehört`,
    ],
  },
  {
    rule: 'role',
    slot: 'role',
    value: 'role',
    patterns: [
      `<S> ~ ${work} ~ als <V>`,
      `<SS> ~ beruf|rolle|position|job|stelle ~ ${isNow} ~ <V>`,
      `<S> ${be} ~ von_beruf <V>`,
    ],
  },
  {
    rule: 'own_noun',
    slot: 'noun',
    value: 'property',
    patterns: [
      `<SS> ^ <N> ~ ${isNow}|ist_und_bleibt ~ <V>`,
      `<S> ~ ${use} ~ <V> als ^ <N>`,
      `~ ${use} <S> ~ <V> als ^ <N>`,
      `als ^ <N> ${use} <S> ~ <V>`,
      `[der|die|das] ^ <N> von <S> ~ ${isNow} ~ <V>`,
      `<V> ist|bleibt ~ <SS> ^ <N>`,
    ],
  },
  {
    rule: 'own_noun_changed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> ${have} ~ <SS>|den|die|das ^ <N> ~ [von <F>] ${to} <V> ${changed}`,
      `<SS> ^ <N> hat|ist ~ [sich] [von <F>] ${to} <V> ${changed}`,
      `<S> bin|ist ~ als|beim|bei_der|bei_dem ^ <N> ~ [von <F>] ${to} <V> gewechselt|umgestiegen`,
    ],
  },
  {
    rule: 'prefers',
    slot: 'prefers',
    value: 'phrase',
    patterns: [
      '<S> ~ bevorzuge|bevorzugt|präferiere|präferiert ~ <V>',
      '~ bevorzuge|bevorzugt <S> ~ <V>',
      '<S> ~ mag|habe|hat|trinke|trinkt|esse|isst|nehme|nimmt <V> am_liebsten|lieber|am_meisten',
      '<S> ~ mag|nehme|nimmt|habe|hat|trinke|trinkt|esse|isst am_liebsten|lieber ~ <V>',
      'am_liebsten mag|habe|hat|trinke|trinkt|esse|isst|nehme|nimmt <S> ~ <V>',
      `<SS> vorliebe|präferenz|vorzug ~ ist|gilt|bleibt ~ <V>`,
      '<S> ~ habe|hat eine ~ [klare|starke|besondere] vorliebe für <V>',
      '<S> ~ ziehe|zieht <V> dem|der|den <SKIP> vor',
      '<S> ~ ziehe|zieht <V> vor',
    ],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [
      `<S> ~ bevorzuge|bevorzugt|präferiere|präferiert ~ <V> ${more}`,
      `<S> ~ bevorzuge|bevorzugt|präferiere|präferiert ~ ${more} <V>`,
      '<S> ~ bevorzuge|bevorzugt ~ keinen|keine|kein <V> mehr',
      `<S> ~ mag <V> ${more} [am_liebsten|lieber]`,
      '<S> ~ mag ~ keinen|keine|kein <V> mehr',
    ],
  },
  {
    rule: 'allergic_to',
    slot: 'allergic_to',
    value: 'allergen',
    patterns: [
      `<S> ~ ${be} ~ allergisch gegen|auf <V>`,
      `<S> ~ ${be} ~ gegen|auf <V> allergisch`,
      '<S> ~ reagiere|reagiert ~ allergisch auf <V>',
      '<S> ~ habe|hat ~ eine ~ [starke|schwere|leichte] allergie gegen <V>',
      '<S> ~ leide|leidet ~ an|unter einer ~ [starken|schweren] allergie gegen <V>',
      '<S> ~ vertrage|verträgt ~ keine|keinen|kein <V>',
    ],
  },
  {
    rule: 'allergy_gone',
    slot: 'allergic_to',
    value: 'allergen',
    change: 'end',
    isEvent: true,
    patterns: [
      `<S> ~ ${be} ~ ${more} allergisch gegen|auf <V>`,
      `<S> ~ ${be} ~ ${more} gegen <V> allergisch`,
      `<S> ~ ${be} ~ gegen <V> ${more} allergisch`,
      '<S> ~ habe|hat ~ keine allergie gegen|auf <V> mehr',
      '<S> ~ habe|hat ~ keine allergie mehr gegen|auf <V>',
      '<SS> allergie gegen <V> ist ~ weg|verschwunden|vorbei|überwunden|ausgeheilt',
    ],
  },
  {
    rule: 'speaks',
    slot: 'speaks',
    value: 'language',
    patterns: [
      '<S> ~ spreche|spricht ~ [fließend|gut|etwas] <V>',
      '<S> ~ kann|beherrsche|beherrscht ~ [fließend|gut|etwas] <V> [sprechen]',
      `<SS> muttersprache|zweitsprache ~ ist <V>`,
    ],
  },
  {
    rule: 'speaks_no_longer',
    slot: 'speaks',
    value: 'language',
    change: 'end',
    patterns: ['<S> ~ spreche|spricht ~ kein <V> mehr'],
  },
  {
    rule: 'uses',
    slot: 'uses',
    value: 'tool',
    patterns: [
      `<S> ~ ${use} ~ <V>`,
      `~ ${use} <S> ~ <V>`,
      `für|zum|beim <SKIP> ${use} <S> ~ <V>`,
      `<S> ~ ${use} ~ seit <SKIP> <V>`,
      '<S> ~ arbeite|arbeitet ~ mit <V>',
      '<S> ~ programmiere|programmiert|schreibe|zeichne|zeichnet ~ [alles] in|mit <V>',
      '<S> ~ setze|setzt|verlasse_mich|verlässt_sich|schwöre|schwört ~ auf <V>',
      '<S> ~ setze|setzt ~ <V> ein',
    ],
  },
  {
    rule: 'uses_no_longer',
    slot: undefined,
    value: 'tool',
    change: 'end',
    isEvent: true,
    patterns: [
      `<V> ~ ${use} <S> ~ ${more}`,
      `<S> ~ ${use} ~ <V> ~ ${more}`,
      `<S> ~ ${use} ~ ${more} <V>`,
      `<S> ~ ${use} ~ kein|keine|keinen <V> mehr`,
      `<S> ~ arbeite|arbeitet ~ ${more} mit <V>`,
      `<S> ${have} ~ aufgehört <V> zu benutzen|verwenden|nutzen`,
      `<S> ${have} ~ aufgehört , <V> zu benutzen|verwenden|nutzen`,
      `<S> ${have} ~ <V> aufgegeben|deinstalliert|abgeschafft|ausgemustert`,
      `<S> ${have} ~ mit <V> aufgehört`,
    ],
  },
  {
    rule: 'switched_to',
    slot: undefined,
    fallback: 'uses',
    value: 'tool',
    change: 'from-to',
    isEvent: true,
    patterns: [`<S> bin|ist ~ ${to} <V> gewechselt|umgestiegen`],
  },
  {
    rule: 'replaced',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<S> bin|ist ~ von <F> ${to} <V> gewechselt|umgestiegen|umgezogen`,
      `<S> ${have} ~ von <F> ${to} <V> ${moved}`,
      `<S> ~ ${use} ~ <V> statt|anstatt|anstelle_von <F>`,
      `<S> ${have} ~ <F> durch <V> ersetzt`,
    ],
  },
]
