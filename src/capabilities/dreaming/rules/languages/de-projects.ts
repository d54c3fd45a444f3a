import type { Frame } from '../language-table.ts'

const isNow = 'ist|bleibt|lautet|heißt|heisst'
const weHave = 'haben|hat'
const use = 'benutze|benutzt|verwende|verwendet|nutze|nutzt|gebrauche|gebraucht'
const more = 'nicht_mehr|nicht_länger'
const changed =
  'gewechselt|geändert|umgestellt|verlegt|verschoben|umgezogen|migriert|geändert_worden|geaendert|gelegt|angehoben|gesenkt|gesetzt|übergegangen'
const moved =
  'umgestiegen|umgestellt|migriert|umgezogen|portiert|gewechselt|verlegt|überführt|umgeschrieben'
const decided = 'beschlossen|entschieden|vereinbart|festgelegt|abgestimmt'
const to = 'auf|zu|nach|in|an|zum|zur'
const listens = 'lauscht|läuft|hört|antwortet|erreichbar_ist|ist'
const inProduction = 'in_produktion|in_der_produktion|produktiv|im_produktivbetrieb|in_prod'
const inStaging = 'im_staging|auf_staging|in_staging|in_der_staging-umgebung|auf_dem_staging-server'

/** Statements about projects. */
export const germanProjects: readonly Frame[] = [
  {
    rule: 'alias',
    slot: 'alias',
    value: 'alias',
    patterns: [
      '<V> ist|steht ~ kurz|die_abkürzung|die_kurzform|abkürzung|kurzform für|von <S>',
      '<V> ist|steht ~ kurz|die_abkürzung|die_kurzform|abkürzung|kurzform für|von <P>',
      '<V> steht für <P>',
    ],
  },
  {
    rule: 'written_in',
    slot: 'language',
    value: 'technology',
    patterns: [
      '<P> ~ ist ~ in <V> ~ geschrieben|implementiert|programmiert|umgesetzt|entwickelt',
      '<P> ~ ist ~ geschrieben|programmiert|implementiert ~ in <V>',
      '<P> wurde|wird ~ in <V> ~ geschrieben|implementiert|programmiert|entwickelt',
    ],
  },
  {
    rule: 'rewritten_in',
    slot: 'language',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `<WE>|<S> ${weHave}|habe ~ <P> ~ [von <F>] in|nach|auf <V> umgeschrieben|neu_geschrieben|portiert`,
      '<P> wurde|ist ~ [von <F>] in|nach|auf <V> umgeschrieben|neu_geschrieben|portiert [worden]',
    ],
  },
  {
    rule: 'deployed_on',
    slot: 'deployed_on',
    value: 'technology',
    patterns: [
      '<P> ~ läuft ~ auf einem|dem|unserem server|rechner bei|von <V>',
      '<P> ~ läuft ~ auf|bei|in|unter <V>',
      '<P> ~ liegt ~ bei <V>',
      '<P> ~ ist|wird ~ auf|bei|in <V> ~ deployt|deployed|gehostet|betrieben|bereitgestellt|installiert|ausgerollt',
      '<WE> ~ deployen|hosten|betreiben|fahren ~ <P> ~ auf|bei|in|nach|zu <V>',
      '<WE> ~ stellen ~ <P> ~ auf|bei|in <V> bereit',
      '<P> ~ wird|ist ~ gehostet|betrieben ~ auf|bei|von <V>',
    ],
  },
  {
    rule: 'owned_by',
    slot: 'owner',
    value: 'person',
    patterns: [
      '<P> ~ gehört ~ <V>',
      '<V> ist|bleibt ~ [der|die] verantwortliche|zuständige|eigentümer|eigentümerin|besitzer|besitzerin für|von|des <P>',
      '<V> ist|bleibt ~ für <P> verantwortlich|zuständig',
      '<V> ist|bleibt ~ verantwortlich|zuständig für <P>',
      '<V> ~ verantwortet|leitet ~ <P>',
      '<V> ~ trägt|hat ~ die verantwortung für <P>',
      'für <P> ist|bleibt ~ <V> verantwortlich|zuständig',
      'verantwortlich|zuständig für <P> ist|bleibt ~ <V>',
      '<V> ~ betreut|pflegt|wartet <P>',
      '<V> ~ kümmert_sich ~ um <P>',
      '<P> ~ wird ~ von <V> betreut|verantwortet|geleitet',
    ],
  },
  {
    rule: 'owned_by_speaker',
    slot: 'owner',
    value: 'self',
    patterns: [
      'ich bin|bleibe ~ für <P> verantwortlich|zuständig',
      'ich bin|bleibe ~ verantwortlich|zuständig für <P>',
      'für <P> bin ich ~ verantwortlich|zuständig',
      'ich ~ verantworte|leite|betreue ~ <P>',
      '<P> ~ gehört ~ mir',
      '<P> ~ wird ~ von mir betreut|verantwortet|geleitet',
    ],
  },
  {
    rule: 'taken_over_by_speaker',
    slot: 'owner',
    value: 'self',
    change: 'set',
    isEvent: true,
    patterns: ['ich habe ~ <P> ~ [von <F>] übernommen', 'ich ~ übernehme ~ <P>'],
  },
  {
    rule: 'owner_changed',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    patterns: [
      '<V> hat ~ <P> ~ [von <F>] übernommen',
      '<P> ist|wurde ~ von <F> an|auf|zu <V> übergegangen|übergeben [worden]',
      '<F> hat ~ <P> ~ an <V> übergeben|abgegeben',
      '<V> ~ übernimmt ~ <P>',
      '<P> ~ übernimmt ~ <V>',
    ],
  },
  {
    rule: 'production_port',
    slot: 'production_port',
    value: 'number',
    patterns: [
      `<P> ~ ${listens} ~ ${inProduction} ~ auf|unter|an [port|dem_port] <V> erreichbar|verfügbar`,
      `<P> ~ ${listens} ~ ${inProduction} ~ auf|unter|an [port|dem_port] <V>`,
      `<P> ~ ${listens} ~ auf|unter|an [port|dem_port] <V> ${inProduction}`,
      `${inProduction} ~ ${listens} <P> ~ auf|unter|an [port|dem_port] <V>`,
      `<P> ~ ${use}|hat|belegt ~ ${inProduction} ~ [den] port <V>`,
      `${inProduction} ~ ${use}|hat|belegt <P> ~ [den] port <V>`,
    ],
  },
  {
    rule: 'staging_port',
    slot: 'staging_port',
    value: 'number',
    patterns: [
      `<P> ~ ${listens} ~ ${inStaging} ~ auf|unter|an [port|dem_port] <V>`,
      `<P> ~ ${listens} ~ auf|unter|an [port|dem_port] <V> ${inStaging}`,
      `${inStaging} ~ ${listens} <P> ~ auf|unter|an [port|dem_port] <V>`,
      `<P> ~ ${use}|hat|belegt ~ ${inStaging} ~ [den] port <V>`,
      `${inStaging} ~ ${use}|hat|belegt <P> ~ [den] port <V>`,
    ],
  },
  {
    rule: 'moved_to',
    slot: undefined,
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<P> ist ~ ${to} <V> umgezogen|gewechselt|umgestellt|migriert [worden]`,
      `<WE>|<S> haben|habe|sind ~ [mit] <P> ~ ${to} <V> ${moved}`,
    ],
  },
  {
    rule: 'listens_on',
    slot: 'port',
    value: 'property',
    patterns: ['<P> ~ lauscht|läuft|hört|antwortet ~ auf port <V>'],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'property',
    patterns: [
      '<P> ~ ist|wird ~ am|bis|zum|ende <V> fällig|fertig',
      '<P> ~ ist ~ fällig ~ am|bis|zum <V>',
    ],
  },
  {
    rule: 'noun',
    slot: 'noun',
    value: 'property',
    patterns: [
      `der|die|das ^ <N> von|für|des|der|in|bei <P> ~ ${isNow}|liegt ~ [auf|bei|am] <V>`,
      `<K> von|für <P> ~ ${isNow} ~ <V>`,
      `<PS> ^ <N> ~ ${isNow}|liegt ~ [auf|bei|am] <V>`,
      `[der|die|das] ^ <K> von|für|des|der|in|bei <P> <COLON> [port] <V>`,
      `<PS> ^ <K> <COLON> [port] <V>`,
      `<P> ~ ${use}|hat ~ <V> als ^ <N>`,
      `<P> ~ setzt ~ <V> als ^ <N> ein`,
      `als ^ <N> ${use}|hat <P> ~ <V>`,
      `für|bei|in <P> ist|bleibt|lautet ~ der|die|das ^ <N> ~ <V>`,
      `<V> ist|bleibt ~ der|die|das ^ <N> von|für <P>`,
      `<WE> ~ benutzen|verwenden|nutzen ~ <V> als ^ <N> für|von|in <P>`,
      `<WE> ~ benutzen|verwenden|nutzen ~ für|in <P> ~ <V> als ^ <N>`,
    ],
  },
  {
    rule: 'database',
    slot: 'database',
    value: 'technology',
    patterns: [
      '<P> ~ speichert|hält ~ [seine|ihre|alle|die] daten ~ in <V>',
      'als datenbank ~ benutzt|verwendet|nutzt <P> ~ <V>',
    ],
  },
  {
    rule: 'noun_changed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `der|die|das ^ <N> von|für|des|der|in|bei <P> wurde|ist|hat ~ [sich] [von|vom <F>] ${to}|auf_den|zum|vom <V> ${changed}`,
      `<PS> ^ <N> wurde|ist|hat ~ [sich] [von|vom <F>] ${to} <V> ${changed}`,
      `<WE>|<S> ${weHave}|habe ~ den|die|das ^ <N> von|für|des|der|in|bei <P> ~ [von|vom <F>] ${to} <V> ${changed}`,
      `der|die|das ^ <N> von|für|des|der|in|bei <P> wechselte|änderte_sich|stieg|sank ~ von <F> ${to} <V>`,
      `der|die|das ^ <N> von|für|des|der|in|bei <P> verschiebt_sich|ändert_sich|wechselt ~ ${to}|auf_den <V>`,
    ],
  },
  {
    rule: 'migrated',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<WE>|<S> ${weHave}|habe|sind ~ [mit] <P> ~ von <F> ${to} <V> ${moved}`,
      `<P> wurde|ist ~ von <F> ${to} <V> ${moved} [worden]`,
      `<WE>|<S> ${weHave}|habe ~ in|bei|für <P> ~ <F> durch <V> ersetzt`,
      `<WE>|<S> ${weHave}|habe ~ <F> in|bei|für <P> ~ durch <V> ersetzt`,
    ],
  },
  {
    rule: 'depends_on',
    slot: 'depends_on',
    value: 'technology',
    patterns: [
      '<P> ~ hängt ~ von <V> ab',
      '<P> ~ hängt ~ ab ~ von <V>',
      '<P> ~ benötigt|braucht|erfordert ~ <V>',
      '<P> ~ baut ~ auf <V> auf',
      '<P> ~ ist ~ von <V> abhängig',
      '<P> ~ ist ~ abhängig ~ von <V>',
      '<P> ~ setzt ~ <V> voraus',
    ],
  },
  {
    rule: 'depends_no_longer',
    slot: 'depends_on',
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: [
      `<P> ~ hängt ~ ${more} von <V> ab`,
      `<P> ~ benötigt|braucht ~ <V> ~ ${more}`,
      '<P> ~ benötigt|braucht ~ kein|keine|keinen <V> mehr',
      `<P> ~ ist ~ ${more} von <V> abhängig`,
    ],
  },
  {
    rule: 'project_uses',
    slot: 'uses',
    value: 'technology',
    patterns: ['<P> ~ benutzt|verwendet|nutzt ~ <V>'],
  },
  {
    rule: 'project_uses_no_longer',
    slot: undefined,
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: [
      `<P> ~ benutzt|verwendet|nutzt ~ <V> ~ ${more}`,
      '<P> ~ benutzt|verwendet|nutzt ~ kein|keine|keinen <V> mehr',
      `<P> ~ läuft ~ ${more} auf|bei|in <V>`,
      `<P> ~ ist ~ ${more} auf|bei|in <V> [gehostet|deployt|installiert]`,
    ],
  },
  {
    rule: 'decision',
    slot: 'decision',
    value: 'decision',
    patterns: [
      `<WE>|das_team ${weHave} [uns|sich] ~ für|in|bei|zu <P> ~ ${decided} , <V>`,
      `<WE>|das_team ${weHave} [uns|sich] ~ ${decided} , für|in|bei|zu <P> ~ <V>`,
      `<WE>|das_team ${weHave} [uns|sich] ~ ${decided} , <V> für|in|bei <P>`,
      `für|in|bei|zu <P> ${weHave} <WE> [uns] ~ ${decided} , <V>`,
      `für|in|bei|zu <P> wurde ~ ${decided} , <V>`,
      'entscheidung|beschluss|beschlossen|entschieden für|zu|in|bei|von <P> <COLON> <V>',
      'die|der entscheidung|beschluss für|zu|in|bei|von <P> ~ ist|lautet <V>',
    ],
  },
  {
    rule: 'decision_reversed',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    patterns: [
      `<WE> haben ~ die entscheidung|den_beschluss , <V> für|in|bei <P> ~ , ~ zurückgenommen|aufgehoben|rückgängig_gemacht|widerrufen|verworfen`,
      `<WE> haben ~ für|in|bei <P> ~ die_entscheidung|den_beschluss zurückgenommen|aufgehoben|widerrufen|verworfen , <V>`,
      `die_entscheidung|der_beschluss , <V> für|in|bei <P> , ~ wurde|ist ~ zurückgenommen|aufgehoben|widerrufen|verworfen`,
    ],
  },
]
