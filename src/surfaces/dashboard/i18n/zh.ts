import type { Dictionary } from './en.ts'
import { basics } from './zh/basics.ts'
import { dreaming } from './zh/dreaming.ts'
import { extensions } from './zh/extensions.ts'
import { frame } from './zh/frame.ts'
import { home } from './zh/home.ts'
import { inference } from './zh/inference.ts'
import { knowledge } from './zh/knowledge.ts'
import { map } from './zh/map.ts'
import { memories } from './zh/memories.ts'
import { operations, settings } from './zh/operations.ts'
import { running } from './zh/running.ts'
import { sessions } from './zh/sessions.ts'
import { sources } from './zh/sources.ts'

export const zh: Dictionary = {
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
