import { toPlainValue } from '../fact.ts'

/** Well-known names by the key of their slot. */
const classes: Readonly<Record<string, string>> = {
  database: `postgresql, postgres, mysql, mariadb, sqlite, oracle, firebird, db2, mongodb, mongo, couchdb, couchbase,
    cockroachdb, cassandra, scylladb, dynamodb, clickhouse, duckdb, timescaledb, yugabytedb, tidb, neo4j, arangodb,
    surrealdb, supabase, firestore, pocketbase, h2, hsqldb, neon, memgraph, dgraph, janusgraph, orientdb, faunadb,
    voltdb, singlestore, memsql, edgedb, immudb, hbase, starrocks, greenplum, vertica, victoriametrics, ravendb,
    objectbox, couchdb lite, dexie, lmdb, berkeley db, leveldb, ksqldb, keydb, aerospike, riak, cosmos db, cosmosdb,
    cloud sql, bigtable, cloudant, postgis, alloydb, oceanbase, gaussdb, polardb, dameng, 达梦, 人大金仓, derby, ms access,
    access, sql server, ms sql, mssql, aurora, planetscale, foundationdb, rethinkdb, dbase, informix, sybase,
    teradata, snowflake, bigquery, redshift, influxdb, questdb, libsql, turso, rocksdb`,
  language: `python, java, javascript, typescript, go, golang, rust, ruby, php, perl, kotlin, swift, scala, clojure,
    elixir, erlang, haskell, ocaml, c, c++, c#, f#, fortran, cobol, pascal, delphi, ada, lua, julia, r, dart, zig,
    nim, crystal, groovy, objective-c, visual basic, common lisp, scheme, racket, gleam, elm, purescript, rescript,
    tcl, apl, modula-2, abap, vb.net, visual basic .net, vala, coffeescript, actionscript, prolog, matlab`,
  deployed_on: `aws, azure, gcp, google cloud, cloud run, heroku, render, railway, fly, fly.io, netlify, vercel,
    cloudflare, cloudflare pages, digitalocean, linode, akamai, vultr, hetzner, scaleway, ovh, ovhcloud, netcup,
    ionos, strato, mittwald, contabo, uberspace, koyeb, openshift, kubernetes, nomad, lambda, ec2, app engine,
    deno deploy, rancher, openstack, proxmox, docker swarm, cloudflare workers, supabase edge, aws lambda, eks, gke,
    aks, cloudways, dokku, coolify, caprover, northflank, platform.sh, upsun, pantheon, wp engine, hostinger,
    godaddy, bluehost, dreamhost, namecheap, gandi, infomaniak, all-inkl, hosteurope, host europe, webgo, manitu,
    hosting.de, plusserver, open telekom cloud, ibm cloud, rackspace, firebase hosting, aptible, nixos, k3s,
    microk8s, mesos, cloud foundry, fastly, kinsta, raspberry pi, 青云, 七牛云, 又拍云, 金山云, 优刻得, github pages, gitlab pages,
    oracle cloud, alibaba cloud, exoscale, upcloud, stackit, 阿里云, 腾讯云, 华为云, 百度云, 天翼云, 京东云, 火山引擎`,
  editor: `vim, neovim, emacs, helix, kakoune, nano, micro, kate, gedit, geany, zed, sublime, sublime text, atom,
    vs code, vscode, visual studio code, vscodium, notepad++, textmate, bbedit, intellij, intellij idea, pycharm,
    webstorm, rustrover, fleet, pulsar, codium, windsurf, spacemacs, doom emacs, qt creator, codeblocks, kdevelop,
    gnome builder, monodevelop, visual studio, zile, ultraedit, pspad, eclipse, netbeans, xcode, cursor, lapce,
    rider, goland, clion, phpstorm, android studio`,
  browser: `firefox, chrome, google chrome, chromium, safari, edge, microsoft edge, opera, vivaldi, brave, librewolf,
    arc, zen, tor browser, waterfox, qutebrowser, ladybird, duckduckgo, floorp, mullvad browser, samsung internet,
    maxthon, yandex browser, seamonkey, palemoon, pale moon, epiphany, gnome web, nyxt, midori, internet explorer,
    konqueror, falkon`,
  messenger: `slack, teams, microsoft teams, discord, signal, telegram, whatsapp, threema, element, matrix,
    mattermost, zulip, rocket.chat, wire, viber, kakaotalk, simplex, google chat, hangouts, webex, zoom chat,
    delta chat, imessage, skype, irc, 微信, 钉钉, 飞书, 企业微信`,
  note_app: `notion, obsidian, evernote, joplin, logseq, onenote, roam, apple notes, simplenote, google keep,
    anytype, standard notes, zettlr, org mode, tiddlywiki, dynalist, workflowy, remnote, heptabase, trilium,
    silverbullet, notesnook, upnote, amplenote, siyuan, 思源, 语雀, 印象笔记, 有道云笔记`,
  task_manager: `todoist, ticktick, trello, asana, jira, linear, wekan, basecamp, clickup, monday.com, omnifocus,
    any.do, microsoft planner, wrike, pivotal tracker, youtrack, redmine, openproject, kanboard, vikunja, tasks.org,
    google tasks, meistertask, 滴答清单, microsoft to do, taskwarrior`,
  api_client: `postman, insomnia, bruno, hoppscotch, rapidapi, httpie, thunder client, yaak, kreya, apifox`,
  design_tool: `figma, penpot, adobe xd, canva, affinity designer, affinity photo, inkscape, gimp, photoshop,
    illustrator, krita, photopea, invision, lunacy, miro, excalidraw, tldraw, lucidchart, draw.io, figjam`,
  shell: `bash, zsh, fish, nushell, powershell, ksh, dash, xonsh, elvish`,
}

const classOfName: ReadonlyMap<string, string> = new Map(
  Object.entries(classes).flatMap(([key, names]) =>
    names.split(/,\s*/).map((name): [string, string] => [name.trim(), key]),
  ),
)

/** Slots of projects; the others are of people. */
const ofProjects: ReadonlySet<string> = new Set(['database', 'language', 'deployed_on'])

/** The key of the slot that a well-known name belongs to, with or without its version. */
export function classOf(value: string): string | undefined {
  const plain = toPlainValue(value)
  return classOfName.get(plain) ?? classOfName.get(plain.replace(/[ -]?v?\d[\d.]*$/u, ''))
}

/** Names that are ordinary words where they have no capital. */
const ordinary: ReadonlySet<string> = new Set(
  `access render railway edge safari signal teams element matrix wire linear roam opera brave rider micro nano atom
  eclipse scheme racket swift crystal dart nomad pantheon epiphany insomnia illustrator derby notion fish dash fleet
  cursor pulsar aurora snowflake sublime groovy windsurf postman`.split(/\s+/),
)

/** `sqlite`, but not `access`. */
export function isUnmistakable(word: string): boolean {
  return word.length > 3 && !ordinary.has(word) && classOfName.has(word)
}

export function isOfProject(key: string): boolean {
  return ofProjects.has(key)
}
