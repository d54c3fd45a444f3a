import { basics } from './en/basics.ts'
import { dreaming } from './en/dreaming.ts'
import { extensions } from './en/extensions.ts'
import { frame } from './en/frame.ts'
import { home } from './en/home.ts'
import { inference } from './en/inference.ts'
import { knowledge } from './en/knowledge.ts'
import { map } from './en/map.ts'
import { memories } from './en/memories.ts'
import { operations, settings } from './en/operations.ts'
import { running } from './en/running.ts'
import { sessions } from './en/sessions.ts'
import { sources } from './en/sources.ts'

/** All user-visible strings. Every other language has this type. */
export const en = {
  ...basics,
  ...frame,
  extensions,
  home,
  map,
  memories,
  sessions,
  inference,
  knowledge,
  dreaming,
  settings,
  sources,
  operations,
  running,
}

export type Dictionary = typeof en
