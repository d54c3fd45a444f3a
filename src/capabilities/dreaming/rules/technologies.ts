import { toPlainValue } from '../fact.ts'

/** Well-known names by the key of their slot. */
const classes: Readonly<Record<string, string>> = {
  database: `postgresql, postgres, mysql, mariadb, sqlite, oracle, firebird, db2, mongodb, mongo, couchdb, couchbase,
    cockroachdb, cassandra, scylladb, dynamodb, clickhouse, duckdb, timescaledb, yugabytedb, tidb, neo4j, arangodb,
    surrealdb, supabase, firestore, pocketbase, h2, hsqldb, derby, leveldb, ms access, access, sql server, ms sql, mssql, aurora, planetscale, foundationdb, rethinkdb, dbase,
    informix, sybase, teradata, snowflake, bigquery, redshift, influxdb, questdb, libsql, turso, rocksdb`,
  language: `python, java, javascript, typescript, go, golang, rust, ruby, php, perl, kotlin, swift, scala, clojure,
    elixir, erlang, haskell, ocaml, c, c++, c#, f#, fortran, cobol, pascal, delphi, ada, lua, julia, r, dart, zig, nim,
    crystal, groovy, objective-c, visual basic, common lisp, scheme, racket, gleam, elm, purescript, prolog, matlab`,
  deployed_on: `aws, azure, gcp, google cloud, cloud run, heroku, render, railway, fly, fly.io, netlify, vercel,
    cloudflare, cloudflare pages, digitalocean, linode, akamai, vultr, hetzner, scaleway, ovh, ovhcloud, netcup, ionos,
    strato, mittwald, contabo, uberspace, koyeb, openshift, kubernetes, nomad, lambda, ec2, app engine, deno deploy,
    rancher, openstack, proxmox, docker swarm, cloudflare workers, github pages, gitlab pages, oracle cloud, alibaba cloud, ibm cloud, exoscale, infomaniak, upcloud, stackit,
    阿里云, 腾讯云, 华为云, 百度云, 天翼云, 京东云, 火山引擎`,
  editor: `vim, neovim, emacs, helix, kakoune, nano, micro, kate, gedit, geany, zed, sublime, sublime text, atom,
    vs code, vscode, visual studio code, vscodium, notepad++, textmate, bbedit, intellij, intellij idea, pycharm,
    webstorm, rustrover, fleet, pulsar, eclipse, netbeans, xcode, cursor, lapce, rider, goland, clion, phpstorm, android studio`,
  browser: `firefox, chrome, google chrome, chromium, safari, edge, microsoft edge, opera, vivaldi, brave, librewolf,
    arc, zen, tor browser, waterfox, qutebrowser, konqueror, falkon`,
  messenger: `slack, teams, microsoft teams, discord, signal, telegram, whatsapp, threema, element, matrix, mattermost,
    zulip, rocket.chat, wire, skype, irc, 微信, 钉钉, 飞书, 企业微信`,
  note_app: `notion, obsidian, evernote, joplin, logseq, onenote, roam, apple notes, simplenote, google keep, anytype,
    语雀, 印象笔记, 有道云笔记`,
  task_manager: `todoist, ticktick, trello, asana, jira, linear, wekan, basecamp, clickup, monday.com, omnifocus,
    microsoft to do, taskwarrior`,
  shell: 'bash, zsh, fish, nushell, powershell, ksh, dash, xonsh, elvish',
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

export function isOfProject(key: string): boolean {
  return ofProjects.has(key)
}
