import type { Frame } from '../language-table.ts'

const have = 'haben|habe|hat'
const data = 'daten|datensätze|tabellen|dokumente|zustand'
const kind =
  'app|anwendung|programm|projekt|dienst|service|codebasis|code|werkzeug|system|lösung|produkt'

/** What a project is made of: the well-known name says which slot it is. */
export const germanStack: readonly Frame[] = [
  {
    rule: 'made_of',
    slot: 'class',
    value: 'technology',
    patterns: [
      `<P> ist ~ [ein|eine|reines|reine] <V> ${kind}`,
      `<P> ist ~ [komplett|rein|ganz] <V> ~ $`,
      `unter_der_haube|im_kern ist|läuft|steckt|arbeitet ~ <P> ~ [in|mit] <V>`,
      `unter_der_haube|im_kern von <P> steckt|läuft|arbeitet ~ <V>`,
      `<P> ~ läuft|liegt|sitzt|steht|ruht|basiert|wohnt ~ mit|auf|in|bei|unter <V>`,
      `<P> ~ läuft ~ mit <V> als <SKIP>`,
      `[die|alle|alle_die] ${data} von|in|für|aus <P> ~ liegen|stehen|landen|stecken|sind ~ in|bei|auf <V>`,
      `<PS> ${data} ~ liegen|stehen|landen|stecken|sind ~ in|bei|auf <V>`,
      `<P> ~ legt|speichert|hält|schreibt|sichert ~ [alle|seine|ihre|die] ${data}|alles ~ in|bei|auf <V>`,
      `<P> ~ spricht|redet ~ mit einer|einem <V> [datenbank|server|cluster]`,
      `unser|unsere|der|die|das ^ hoster|hosting|anbieter|cloud|plattform|datenbank|sprache für|von|hinter <P> ~ ist ~ <V>`,
      `der code|quellcode von|für|hinter <P> ~ ist ~ [in] <V> [geschrieben]`,
      `<WE> ~ entwickeln|schreiben|bauen|programmieren|pflegen ~ <P> ~ in|mit <V>`,
      `<P> entwickeln|schreiben|bauen|programmieren <WE> ~ in|mit <V>`,
      `<WE> ~ nutzen|verwenden|benutzen|haben ~ <V> für|hinter|unter <P>`,
    ],
  },
  {
    rule: 'made_of_now',
    slot: 'class',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `<P> wurde|ist ~ [von <F>] [neu] in|auf|nach <V> [neu] geschrieben|umgeschrieben|programmiert|implementiert|portiert|übersetzt`,
      `<WE>|<S> ${have} ~ <P> ~ [von <F>] [neu] in|auf|nach|zu <V> [neu] geschrieben|umgeschrieben|programmiert|implementiert|portiert|übersetzt|verlegt|verschoben`,
      `<WE>|<S> ${have} ~ bei|in|für|im|beim <P> ~ <F> ~ durch|gegen <V> ersetzt|abgelöst|getauscht|ausgetauscht|eingetauscht`,
      `<P> haben <WE> ~ von <F> zu|nach|auf <V> geholt|umgezogen|verschoben|gebracht|migriert|verlegt|umgestellt`,
      `der umzug|wechsel|umstieg von <P> [von <F>] auf|nach|in|zu <V> ~ ist ~ fertig|abgeschlossen|durch|erledigt`,
      `die umstellung|portierung|migration|neufassung von <P> [von <F>] auf|nach|in|zu <V> ~ ist ~ fertig|abgeschlossen|durch|erledigt`,
    ],
  },
  {
    rule: 'built_on',
    slot: 'class',
    value: 'technology',
    patterns: ['<P> ~ setzt|fußt|beruht|baut ~ auf <V> [auf]'],
  },
]
