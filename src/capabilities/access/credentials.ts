import type { z } from 'zod'
import type { AuthMode, Principal } from '../../kernel/auth/authenticate.ts'
import { listPermissions } from '../../kernel/auth/permission.ts'
import type { credentialReply } from './schemas.ts'

export function whoAmI(mode: AuthMode, principal: Principal): z.input<typeof credentialReply> {
  const { claims, refusal, role } = principal
  return {
    authenticated: claims !== null,
    claims,
    trustedLocal: claims === null && refusal === null,
    effectiveAccess: refusal ? 'none' : role,
    error: refusal?.message ?? null,
    permissions: refusal ? [] : [...listPermissions(principal)],
    mode,
    providers: [],
  }
}
