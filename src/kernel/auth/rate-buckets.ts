/** Calls that one subject may make in a window of a minute, outside local mode. */
const rateBuckets = {
  forget: 30,
  modify: 60,
  batchForget: 5,
  forceDelete: 3,
  admin: 10,
  login: 5,
  recallLlm: 60,
} as const

export type RateBucket = keyof typeof rateBuckets
