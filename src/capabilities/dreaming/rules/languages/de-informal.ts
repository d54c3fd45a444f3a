import type { Frame } from '../language-table.ts'

/** Statements in informal words. */
export const informalGerman: readonly Frame[] = [
  {
    rule: 'lives_in',
    slot: 'lives_in',
    value: 'place',
    patterns: [
      '<S> ~ wohne|wohnt|lebe|lebt ~ drüben|oben|unten|draußen|hier|weiterhin in <V>',
      '<S> ~ habe|hat|miete|mietet eine|ein|meine|mein ~ [kleine|große|schöne|kleines] wohnung|haus|bleibe|zimmer ~ in <V>',
    ],
  },
  {
    rule: 'changed_employers',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> habe|hat ~ [den|die|meinen|seinen|ihren] arbeitgeber|firma|job|stelle ~ gewechselt , von <F> zu <V>',
    ],
  },
  {
    rule: 'owner',
    slot: 'owner',
    value: 'person',
    patterns: ['<P> ~ liegt|ist ~ in der hand|verantwortung von <V>'],
  },
  {
    rule: 'codes_in',
    slot: 'class',
    fallback: 'uses',
    value: 'tool',
    patterns: [
      '<S> ~ schreibe|schreibt|bearbeite|bearbeitet ~ [meinen|seinen|ihren|den] [ganzen|gesamten] code ~ in|mit <V>',
      '<S> ~ programmiere|programmiert|code|codet ~ in|mit <V>',
    ],
  },
  {
    rule: 'own_noun',
    slot: 'noun',
    value: 'property',
    patterns: ['als <N> ~ nehme|habe <S> ~ <V>'],
  },
  {
    rule: 'uses',
    slot: 'uses',
    value: 'tool',
    patterns: [
      '<S> ~ nutze|nutzt|benutze|benutzt|verwende|verwendet ~ <V> für|zu ~ fast|nahezu|so_gut_wie alles|allem',
      '<S> ~ nutze|nutzt|benutze|benutzt|verwende|verwendet ~ <V> für alles',
    ],
  },
  {
    rule: 'prefers',
    slot: 'prefers',
    value: 'phrase',
    patterns: [
      '<ME> mir ist|sind ~ <V> ~ am_liebsten|lieber',
      '<ME> am_liebsten ~ ist|sind mir ~ <V>',
    ],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [
      '<S> ~ kann|können mit <V> ~ nichts|wenig mehr anfangen',
      '<S> ~ habe|hat ~ <V> ~ satt|über',
      '<S> ~ habe|hat ~ keine|die lust|freude|interesse mehr an|auf <V>',
      '<S> ~ bin|ist ~ <V> ~ leid|überdrüssig',
      '<ME> <V> ~ ist|sind ~ nichts_mehr|nicht_mehr|nichts ~ für mich',
    ],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'date',
    patterns: [
      '<P> ~ muss|soll|sollte ~ bis|bis_zum|zum|am|spätestens_am|bis_spätestens [den|zum] <V> ~ fertig|abgegeben|geliefert|live|erledigt|raus|online|abgeschlossen [sein|gehen|werden]',
      '<WE> ~ müssen|sollen ~ <P> ~ bis|bis_zum|zum|am [den|zum] <V> ~ abgeben|liefern|fertigstellen|ausliefern|abschließen',
    ],
  },
  {
    rule: 'made_of',
    slot: 'class',
    value: 'technology',
    patterns: [
      'bei|hinter|unter <P> ~ steckt|läuft|werkelt|arbeitet ~ <V> dahinter|darunter|drunter|dran',
      'hinter|unter <P> ~ ist|steht ~ <V>',
    ],
  },
]
