/** One shape of credential. The pattern may capture as `prefix` what stands before the secret. */
export interface SecretFormat {
  readonly kind: string
  /** Each match holds one of these, in this case: without any, the pattern is not tried. */
  readonly hints: readonly string[]
  /** Global. Begins behind nothing that it could have begun with, so a text is read once. */
  readonly pattern: RegExp
}

const word = '[A-Za-z0-9_-]'
const token = (prefix: string, rest: string) =>
  new RegExp(`(?<!${word})(?:${prefix})${rest}(?!${word})`, 'g')

/** The end of a name, such as `DB_PASSWORD` or `clientSecret`; what stands before it does not matter. */
const secretNames =
  '(?:api|access|secret|private|account)[_-]?key|secret|token|password|passwd|passphrase'

/** From the provider's own documentation where a line names none; else from where it says. */
export const secretFormats: readonly SecretFormat[] = [
  // docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  format('aws-access-key', ['AKIA', 'ASIA'], token('AKIA|ASIA', '[A-Z2-7]{16}')),
  // github.blog/2021-04-05-behind-githubs-new-authentication-token-formats
  format('github-token', ['gh'], token('gh[pousr]_', '[A-Za-z0-9]{36,255}')),
  format('github-token', ['github_pat_'], token('github_pat_', '[A-Za-z0-9_]{59,255}')),
  // docs.gitlab.com/security/tokens/#token-prefixes
  format(
    'gitlab-token',
    ['gl'],
    token('gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-', `${word}{20,300}`),
  ),
  // docs.slack.dev/authentication/tokens
  format('slack-token', ['xox', 'xapp-'], token('xox[abeoprs]-|xapp-', `${word}{10,300}`)),
  format(
    'slack-webhook',
    ['hooks.slack.com'],
    /(?<prefix>hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,120}/g,
  ),
  // docs.stripe.com/keys, docs.stripe.com/webhooks
  format('stripe-key', ['sk_', 'rk_'], token('[sr]k_(?:live|test)_', '[A-Za-z0-9]{16,250}')),
  format('stripe-webhook', ['whsec_'], token('whsec_', '[A-Za-z0-9]{24,80}')),
  // docs.anthropic.com, platform.openai.com, openrouter.ai/docs: all begin with sk-
  format('model-key', ['sk-'], token('sk-', `${word}{20,300}`)),
  // cloud.google.com/docs/authentication/api-keys; the length is that of issued keys
  format('google-api-key', ['AIza'], token('AIza', `${word}{35}`)),
  format('google-oauth-token', ['ya29.'], token('ya29\\.', `${word}{20,600}`)),
  format('google-oauth-secret', ['GOCSPX-'], token('GOCSPX-', `${word}{28}`)),
  // docs.npmjs.com/about-access-tokens, pypi.org/help/#apitoken
  format('npm-token', ['npm_'], token('npm_', '[A-Za-z0-9]{36}')),
  format('pypi-token', ['pypi-'], token('pypi-AgE', `${word}{50,300}`)),
  // huggingface.co/docs/hub/security-tokens
  format('huggingface-token', ['hf_'], token('hf_', '[A-Za-z0-9]{30,60}')),
  // docs.digitalocean.com/reference/api/create-personal-access-token
  format('digitalocean-token', ['_v1_'], token('do[opr]_v1_', '[a-f0-9]{64}')),
  // twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  format('sendgrid-key', ['SG.'], token('SG\\.', `${word}{16,32}\\.${word}{32,64}`)),
  // core.telegram.org/bots/api#authorizing-your-bot
  format('telegram-token', [':AA'], /(?<![\w-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g),
  // learn.microsoft.com/azure/storage/common/storage-account-keys-manage: 512 bits in base64
  format('azure-key', ['AccountKey='], /(?<prefix>AccountKey=)[A-Za-z0-9+/]{80,90}={0,2}/g),
  // RFC 7519 in the compact form of RFC 7515
  format('jwt', ['eyJ'], token('eyJ', `${word}{8,}\\.eyJ${word}{8,}\\.${word}{8,}`)),
  // RFC 6750, RFC 7617
  format(
    'authorization',
    ['earer ', 'asic '],
    /(?<![A-Za-z])(?<prefix>[Bb]earer {1,4}|[Bb]asic {1,4})[A-Za-z0-9._~+/-]{16,}={0,2}/g,
  ),
  // RFC 3986, 3.2.1
  format(
    'url-password',
    ['://'],
    /(?<=[A-Za-z0-9])(?<prefix>:\/\/[^\s:/@?#'"]{0,100}:)(?!\[REDACTED\]@)[^\s:/@?#'"]{1,200}(?=@)/g,
  ),
  // A name that says secret, and a value that may be one: both letters and digits, eight at least
  format(
    'assignment',
    [':', '='],
    new RegExp(
      `(?<prefix>(?:${secretNames})s?(?:[_-]?[0-9]{1,3})?["']?[ \\t]{0,4}(?::|=>?)[ \\t]{0,4}["'\`]?)(?=[^\\s"'\`,;]{0,200}[0-9])(?=[^\\s"'\`,;]{0,200}[A-Za-z])(?![$<{\\[])[^\\s"'\`,;]{8,512}`,
      'gi',
    ),
  ),
]

/** A value that is code and no secret: a type, a literal, a call, a reference. */
const codeValue =
  '(?:(?:string|number|boolean|unknown|any|null|none|nil|undefined|true|false|await|new|typeof)(?![A-Za-z0-9_])|[A-Za-z_$][A-Za-z0-9_$.]{0,100}\\()'

/** Names of types in common languages. */
const types =
  'str|int|bool|bytes|bytearray|char|object|void|never|readonly|buffer|uint8array|arraybuffer|date|option(?:al)?|array|list|vec|promise|record|map|set|secretstr|secretstring|securestring'
/** Ends in a secret's name itself, as `AccessToken`; the letter case tells it from a passphrase. */
const secretType =
  '(?-i:(?:[A-Z][a-z]{1,20}){0,4}(?:(?:Api|Access|Secret|Private|Account)?Key|Secret|Token|Password|Passwd|Passphrase)s?)'

/** What follows a colon in code: the type of a field or parameter, or a variable of the same name. */
const typeValue = `(?<=:[ \\t]{0,4})(?:[&*]{0,2}(?:(?:${types})|${secretType})|\\k<name>)(?=$|[\\s,;)}\\]<>|]|\\[\\]|\\.(?:\\s|$))`

/** A number of tokens is none. */
const strictNames = secretNames.replace(
  '|token|',
  `|token(?!s?["']?[ \\t]{0,4}[:=][ \\t]{0,4}[0-9]{1,12}(?!${word}))|_pwd|`,
)

/** Only in text that is derived, such as digests and transcripts: hashes and ids may look the same. */
export const strictFormats: readonly SecretFormat[] = [
  // contract 1, 11: assignments of keys, secrets, tokens and passwords, whatever the value looks like
  format(
    'assignment',
    [':', '='],
    new RegExp(
      `(?<prefix>(?<name>(?:${strictNames})s?(?:[_-]?[0-9]{1,3})?)["']?[ \\t]{0,4}(?::|=>?)[ \\t]{0,4}["'\`]?)(?![$<{[=]|${codeValue}|${typeValue})[^\\s"'\`,;]{4,512}`,
      'gi',
    ),
  ),
  // RFC 4648, 5, padded or not; each in mixed case and with a digit, unlike a hash in hexadecimal.
  // Files of the workspace are named by milliseconds, a digest and a kind: `123Z--<digest>--kind`.
  format('encoded', [''], run('[A-Za-z0-9+_-]', '={0,2}')),
  // RFC 4648, 4, padded: without, it may as well be a path
  format('encoded', ['='], run('[A-Za-z0-9+/]', '={1,2}')),
]

function run(letter: string, end: string): RegExp {
  const mixed = ['[A-Z]', '[a-z]', '[0-9]'].map((one) => `(?=${letter}{0,200}${one})`).join('')
  // Its length first: most words are looked at no further.
  const fileName = '(?!\\d{3}Z--[a-z2-7]{16}--[a-z]{1,16}(?![A-Za-z0-9+_-]))'
  return new RegExp(`(?<!${letter})(?=${letter}{32})${fileName}${mixed}${letter}{32,}${end}`, 'g')
}

function format(kind: string, hints: readonly string[], pattern: RegExp): SecretFormat {
  return { kind, hints, pattern }
}
