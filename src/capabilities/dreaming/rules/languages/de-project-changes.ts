import type { Frame } from '../language-table.ts'

const now = 'jetzt|nun|inzwischen|mittlerweile|neuerdings|ab_sofort|ab_jetzt|ab_heute|seit_kurzem'
const have = 'haben|habe|hat'
const host = 'hosten|betreiben|deployen|fahren'
const until = 'auf|bis|zum|bis_zum|auf_den|bis_zu|zu|in|nach|vom'
const of = 'von|vom|für|fürs|des|der|in|im|bei|beim|zum'
const moveVerbs =
  'verschoben|gerutscht|verlängert|vorgezogen|vertagt|verzögert|gewandert|erhöht|hochgesetzt|heruntergesetzt|gehoben|aktualisiert|gestiegen|gesunken|geändert|verlegt|gesetzt|gewechselt|umgestellt|umgezogen|migriert|angehoben|gesenkt|gelegt|geklettert|gestellt'
const replaceVerbs = 'ersetzt|abgelöst|getauscht|ausgetauscht|verdrängt'
const migrateVerbs =
  'umgezogen|umgestiegen|umgestellt|migriert|gewechselt|verlegt|überführt|verschoben|portiert|aktualisiert|gehoben|gewandert|zurückgezogen|zurückgekehrt|übergegangen'

/** Announcements of changes of a project. */
export const germanProjectChanges: readonly Frame[] = [
  {
    rule: 'due_changed',
    slot: 'deadline',
    value: 'date',
    change: 'set',
    isEvent: true,
    patterns: [
      `<P> wurde|ist|wird ~ [vom <F>] ${until} [den|dem] <V> verschoben|vertagt|verlängert|vorgezogen|gerutscht [worden]`,
      `<WE>|<S> ${have} ~ <P> ~ [vom <F>] ${until} [den|dem] <V> verschoben|vertagt|verlängert|vorgezogen`,
      `<P> verschiebt_sich|rutscht|verzögert_sich ~ ${until} [den|dem] <V>`,
      `<P> ist ~ fertig|fällig ~ bis|am|zum [zum] <V>`,
      `<P> ~ hat ~ noch zeit bis|bis_zum [zum] <V>`,
    ],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'date',
    patterns: [`<P> ~ muss ~ [erst] bis|bis_zum|am|zum [zum] <V> fertig|live|stehen|raus`],
  },
  {
    rule: 'noun_moved',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `der|die|das ^ <K> ${of} <P> wurde|ist|hat ~ [sich] [von|vom <F>] ${until} [den|dem] <V> ${moveVerbs} [worden]`,
      `der|die|das|den ^ <K> ${of} <P> ${have} <WE>|<S> ~ [von|vom <F>] ${until} [den|dem] <V> ${moveVerbs}`,
      `der|die|das|den ^ <K> ${of} <P> ${have} <WE>|<S> ~ durch|gegen <V> ${replaceVerbs}`,
      `<PS> ^ <K> wurde|ist|hat ~ [sich] [von|vom <F>] ${until} [den|dem] <V> ${moveVerbs} [worden]`,
      `<WE>|<S> ${have} ~ den|die|das ^ <K> ${of} <P> ~ [von|vom <F>] ${until} [den|dem] <V> ${moveVerbs}`,
      `[der|die|das] ^ <K> ${of} <P> ~ ist|lautet|heißt|<COLON> ~ nicht_mehr|nicht <F> , sondern [${now}] <V>`,
      `<PS> ^ <K> ~ ist|lautet|heißt|<COLON> ~ nicht_mehr|nicht <F> , sondern [${now}] <V>`,
      `<P> ~ hat|bekommt|bekam ~ [${now}] einen|eine|ein|den|die|das neue|neuen|neues|neuer <K> <COLON>|, <V>`,
      `<P> <COLON> [neuer|neue|neues] <K> [ist|<COLON>] ~ [${now}] [von] <F> →|auf <V>`,
      `<P> <COLON> neuer|neue|neues <K> [ist|<COLON>|,] <V>`,
      `der|die|das ^ <K> ${of} <P> rutscht|wandert|verschiebt_sich|steigt|sinkt ~ ${until} [den|dem] <V>`,
      `<P> ~ hat|nutzt|verwendet|benutzt ! <V> als ^ <K>`,
    ],
  },
  {
    rule: 'noun_given',
    slot: 'noun',
    value: 'property',
    patterns: [
      `der|die|das ^ <K> ${of} <P> ~ ist|lautet|bleibt ~ <V>`,
      `<P> ~ hat|nutzt ~ den|die|das ^ <K> <V>`,
    ],
  },
  {
    rule: 'hosted_now',
    slot: 'deployed_on',
    value: 'technology',
    patterns: [
      `<P> ${host} <WE> ~ bei|auf|in|mit <V>`,
      `<P> ~ wird ~ bei|auf|in|von <V> gehostet|betrieben`,
      `<P> ~ läuft|liegt ~ seit <SKIP> auf|bei <V>`,
      `seit|ab <SKIP> läuft|liegt <P> ~ auf|bei <V>`,
      `<P> ~ liegt|steht|wohnt ~ bei|auf <V>`,
      `<P> ~ hat ~ ein|eine neues|neue zuhause|heimat|hoster ~ <COLON>|bei|auf <V>`,
    ],
  },
  {
    rule: 'now_on',
    slot: undefined,
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<P> ~ läuft|sitzt|basiert|liegt|nutzt|verwendet|benutzt ! [mit|auf|bei|in] <V>`,
      `${now} ~ läuft|nutzt|verwendet|benutzt <P> ~ [mit|auf|bei|in] <V>`,
      `<P> ist|wurde ~ ${until} <V> ${migrateVerbs} [worden]`,
      `<WE>|<S> haben|habe|sind|bin ~ [mit] <P> ~ ${until} <V> ${migrateVerbs}`,
      `<P> ist ! bei|auf <V>`,
      `<P> ${have} <WE>|<S> ~ ${until} <V> ${migrateVerbs}`,
      `<P> ~ speichert|hält ~ alles ~ in <V>`,
    ],
  },
  {
    rule: 'exchanged',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<P> ~ läuft|sitzt|basiert|liegt|nutzt|verwendet|benutzt ~ [mit|auf|bei|in] <V> statt|anstatt|anstelle_von [mit|auf|bei|in|von] <F>`,
      `<P> ~ läuft|liegt|nutzt|verwendet|benutzt|ist ~ nicht_mehr [mit|auf|bei|in] <F> , sondern [${now}] [mit|auf|bei|in] <V>`,
      `statt|anstatt|anstelle_von <F> nutzt|verwendet|benutzt|hat|läuft <P> ~ [mit|auf|bei|in] <V>`,
      `<P> wurde|ist ~ von <F> ${until} <V> ${migrateVerbs} [worden]`,
      `bei|in|für|im|beim <P> ${have} <WE>|<S> ~ <F> ~ durch|gegen <V> ${replaceVerbs}`,
      `bei|in|für|im|beim <P> wurde ~ <F> ~ durch|gegen <V> ${replaceVerbs}`,
      `<WE>|<S> ${have} ~ <F> in|bei|für|im|beim <P> ~ durch|gegen <V> ${replaceVerbs}`,
      `<F> wurde|ist ~ in|bei|für|im|beim <P> ~ durch|von <V> ${replaceVerbs} [worden]`,
      `<V> ${have}|ersetzt ~ in|bei|für|im|beim <P> ~ <F> [${replaceVerbs}]`,
      `<WE>|<S> ${have} ~ <P> ~ von <F> ${until} <V> ${migrateVerbs}`,
    ],
  },
  {
    rule: 'gone',
    slot: undefined,
    value: 'property',
    change: 'end',
    isEvent: true,
    patterns: [
      `<WE>|<S> ${have} ~ <V> ~ aus|von|bei|in <P> ~ entfernt|ausgebaut|rausgeworfen|abgeschafft|verbannt|geworfen`,
      `<WE>|<S> ${have} ~ <P> ~ von <V> ~ befreit|losgelöst|getrennt|weggezogen`,
      `<P> ~ kommt|läuft ~ [${now}] ~ ohne <V> ~ [aus]`,
      `<V> ${have} <WE>|<S> ~ aus|von <P> ~ entfernt|ausgebaut|rausgeworfen|verbannt|geworfen`,
      `<P> ist ~ von <V> weg|runter`,
      `<IT> <V> ist ~ weg|geschichte|abgeschafft|abgelöst|raus|abgeschaltet|vorbei ~ $`,
      `<P> ~ wird ~ nicht_mehr bei|auf|in|von <V> gehostet|betrieben`,
      `<P> ~ läuft|liegt ~ nicht_mehr [mit|auf|bei|in] <V>`,
      `<P> ~ ist ~ nicht_mehr [mit|auf|bei|in] <V>`,
      `<P> ~ braucht|benötigt|nutzt|verwendet ~ <V> nicht_mehr|nicht_länger`,
    ],
  },
  {
    rule: 'owned_now',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    patterns: [
      `<V> hat ~ <P> ~ [von <F>] übernommen|geerbt|bekommen`,
      `<S>|<WE> ${have} ~ <P> ~ an <V> übergeben|abgegeben|weitergegeben|übertragen|weitergereicht|abgetreten`,
      `<P> ~ geht|ging|wandert|wechselt ~ [von <F>] an|zu <V>`,
      `<P> wurde|ist ~ [von <F>] an <V> übergeben|übertragen|abgegeben|weitergegeben|gegangen [worden]`,
      `<P> ~ hat|betreut|verantwortet|pflegt|leitet|macht ! <V>`,
      `${now} ~ betreut|verantwortet|leitet|übernimmt|pflegt <V> <P>`,
      `<P> ~ liegt ~ [${now}] ~ bei <V>`,
      `um <P> kümmert_sich ~ <V>`,
      `<V> ist ~ [der|die] neuer|neue verantwortlicher|verantwortliche|eigentümer|eigentümerin|ansprechpartner|ansprechpartnerin für|von <P>`,
      `<P> ist ~ auf <V> übergegangen`,
      `<V> ~ kümmert_sich ~ um <P>`,
      `${now} ist|kümmert_sich ~ <V> ~ für|um <P> [verantwortlich|zuständig]`,
      `zuständigkeit|verantwortung für <P> ~ liegt|ist ~ bei|an <V> [übergegangen]`,
    ],
  },
  {
    rule: 'owned_now_by_speaker',
    slot: 'owner',
    value: 'self',
    change: 'set',
    isEvent: true,
    patterns: [
      `<P> ~ gehört ~ [${now}] mir`,
      `<P> ~ habe|betreue|verantworte|leite|übernehme ich ~`,
      `um <P> kümmere_ich_mich ~`,
    ],
  },
]
