import { actions } from './actions.ts'
import { building } from './building.ts'
import { clothing } from './clothing.ts'
import { commerce } from './commerce.ts'
import { culture } from './culture.ts'
import { feelings } from './feelings.ts'
import { food } from './food.ts'
import { health } from './health.ts'
import { household } from './household.ts'
import { learning } from './learning.ts'
import { measures } from './measures.ts'
import { nature } from './nature.ts'
import { people } from './people.ts'
import { properties } from './properties.ts'
import { society } from './society.ts'
import { technology } from './technology.ts'
import { transport } from './transport.ts'
import { work } from './work.ts'
import { world } from './world.ts'

/** Tables of concepts by field. Everyday meanings come first: the first meaning of a word is its English word. */
export const fields: Readonly<Record<string, string>> = {
  people,
  household,
  work,
  world,
  actions,
  building,
  clothing,
  commerce,
  culture,
  feelings,
  food,
  health,
  learning,
  measures,
  nature,
  properties,
  society,
  technology,
  transport,
}
