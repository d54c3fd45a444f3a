import { z } from 'zod'

export const harnessesReply = z.object({
  harnesses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      exists: z.boolean(),
      lastSeen: z.string().nullable(),
    }),
  ),
})
export const regeneratedReply = z.union([
  z.object({ success: z.literal(true), message: z.string(), output: z.string() }),
  z.object({ success: z.literal(false), error: z.string() }),
])
