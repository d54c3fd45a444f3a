/** A regular expression or a function that searches a text. */
export interface TextTest {
  test(text: string): boolean
}

/**
 * A credential format. Its pattern may capture a prefix and quotation marks, which are retained.
 */
export interface SecretFormat {
  readonly kind: string
  /** Case-sensitive hints. The pattern runs only if the text contains one. */
  readonly hints: readonly string[]
  /** A second, slower hint. */
  readonly words?: TextTest
  /** Global. A match never starts inside a longer run of its characters, so the scan is linear. */
  readonly pattern: RegExp
  /** Decides by the groups of a match whether it is a credential. */
  readonly accepts?: (readGroup: (name: string) => string) => boolean
}

const word = '[A-Za-z0-9_-]'
const token = (prefix: string, rest: string) =>
  new RegExp(`(?<!${word})(?:${prefix})${rest}(?!${word})`, 'g')

const prefixes = String.raw`(?:sk-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[abeoprs]-|xapp-|[sr]k_(?:live|test)_|whsec_|AIza|ya29\.|GOCSPX-|npm_|svck_|pypi-AgE|hf_|SG\.|eyJ)`
/** Mixed case and digits, unlike a natural word. */
const mixed = (letter: string) =>
  ['[A-Z]', '[a-z]', '[0-9]'].map((one) => `(?=${letter}{0,200}${one})`).join('')
const lineBreak = '[ \\t]{0,8}(?:\\r?\\n[ \\t]{0,40}|[ \\t])'
const continued = `(?!${prefixes})${mixed(word)}${word}{8,300}(?:\\.${word}{1,300}){0,3}(?!${word})`

const gap = '[ \\t]{0,4}'

/** The value of a credential option of this program. */
function argument(hints: readonly string[], program: string, option: string): SecretFormat {
  const start = `(?<![\\w-])${program}(?![\\w-])`
  const others = `(?:(?!${start})(?:[^\\n\\\\]|\\\\\\r?\\n|\\\\)){0,300}?`
  const value = `(?:"[^"\\n]{1,200}"|'[^'\\n]{1,200}'|[^\\s"'|;&]{1,200})`
  const prefix = `(?<prefix>${start}${others}[ \\t]${option})`
  return format('argument', hints, new RegExp(`${prefix}(?![$<{[])${value}`, 'g'))
}

/** Sources are the documentation of the provider, or the reference on the line. */
export const secretFormats: readonly SecretFormat[] = [
  // A key with line breaks or spaces from a terminal or mail program
  format(
    'wrapped-key',
    [
      ...[
        'sk-',
        'ghp_',
        'gho_',
        'ghu_',
        'ghs_',
        'ghr_',
        'github_pat_',
        'xox',
        'xapp-',
        'k_live_',
        'k_test_',
        'whsec_',
        'AIza',
        'ya29.',
      ],
      ...['GOCSPX-', 'npm_', 'svck_', 'pypi-', 'hf_', 'SG.', 'eyJ'],
      ...[
        'glpat-',
        'gldt-',
        'glrt-',
        'glcbt-',
        'glptt-',
        'glft-',
        'glimt-',
        'glagent-',
        'gloas-',
        'glsoat-',
      ],
    ],
    new RegExp(
      `(?<![\\w.-])${prefixes}(?=[\\w.-]{0,300}(?:[0-9]|${lineBreak}${word}{16}))[\\w.-]{0,300}(?:${lineBreak}${continued}){1,8}`,
      'g',
    ),
  ),
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
  // developer.hashicorp.com/vault/docs/concepts/tokens
  format('vault-token', ['hv'], token('hv[bsr]\\.', `${word}{20,300}`)),
  // shopify.dev/docs/apps/build/authentication-authorization
  format('shopify-token', ['shp'], token('shp(?:at|ca|pa|ss|tka)_', '[A-Fa-f0-9]{32}')),
  // docs.databricks.com/aws/en/dev-tools/auth/pat
  format('databricks-token', ['dapi'], token('dapi', '[a-f0-9]{32}(?:-\\d)?')),
  // API keys of this service
  format('service-key', ['svck_'], token('svck_', `[a-z]{8}_${word}{43}`)),
  // age-encryption.org/v1: Bech32
  format('age-key', ['AGE-SECRET-KEY-1'], token('AGE-SECRET-KEY-1', '[A-Z0-9]{40,80}')),
  // console.groq.com/docs, docs.x.ai, linear.app/developers
  format('model-key', ['gsk_'], token('gsk_', '[A-Za-z0-9]{20,100}')),
  format('model-key', ['xai-'], token('xai-', '[A-Za-z0-9]{20,120}')),
  format('linear-key', ['lin_'], token('lin_(?:api|oauth)_', '[A-Za-z0-9]{20,100}')),
  // discord.com/developers/docs/resources/webhook
  format(
    'discord-webhook',
    ['/api/webhooks/'],
    /(?<prefix>discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/)[\w-]{20,200}/g,
  ),
  // learn.microsoft.com/azure/storage/common/storage-sas-overview
  format('sas-signature', ['sig='], /(?<prefix>[?&;]sig=)[A-Za-z0-9%+/_-]{20,200}={0,2}/g),
  // RFC 6265: the whole header if a value is long
  format(
    'cookie',
    ['ookie:'],
    /(?<prefix>(?<![A-Za-z])(?:[Ss]et-)?[Cc]ookie:[ \t]{0,4})(?=[^\r\n"']{0,1000}=[^\s;"']{16})[^\r\n"']{1,4000}/g,
  ),
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
  // RFC 3986, 3.2.1; a password may hold unescaped colons and at signs
  format(
    'url-password',
    ['://'],
    /(?<=[A-Za-z0-9])(?<prefix>:\/\/[^\s:/@?#'"]{0,100}:)(?!\[REDACTED\]@)[^\s/?#'"]{1,200}(?=@)/g,
  ),
  // dev.mysql.com/doc/refman/8.4/en/connecting.html: no space before the value
  argument(['mysql', 'mariadb'], '(?:mysql|mariadb)[a-z_-]{0,20}', '-p'),
  argument(['sshpass'], 'sshpass', `-p${gap}`),
  argument(
    ['curl'],
    'curl',
    `(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)(?:=|${gap})["']?[^\\s:"']{0,100}:`,
  ),
  argument(['redis-cli'], 'redis-cli', `(?:-a|--pass)${gap}`),
  argument(['docker', 'podman'], '(?:docker|podman) login', `-p${gap}`),
]

const minRunLength = 32
const runLetter = /[A-Za-z0-9+_-]/

/** Reads one character of each possible run, and its neighbours only if it is a letter of a run. */
const longRun: TextTest = {
  test(text) {
    for (let at = minRunLength - 1; at < text.length; at += minRunLength) {
      let start = at
      while (start > at - minRunLength && runLetter.test(text.charAt(start))) start--
      if (start === at) continue
      let end = at + 1
      while (end - start <= minRunLength && runLetter.test(text.charAt(end))) end++
      if (end - start > minRunLength) return true
    }
    return false
  },
}

/**
 * Applied only to derived text, such as digests and transcripts, because hashes and ids may look
 * the same.
 */
export const encodedFormats: readonly SecretFormat[] = [
  // RFC 4648, 5, padded or not. Mixed case and a digit distinguish it from a hexadecimal hash.
  // Workspace files have names of milliseconds, a digest and a kind: `123Z--<digest>--kind`.
  { ...format('encoded', [''], run('[A-Za-z0-9+_-]', '={0,2}')), words: longRun },
  // RFC 4648, 4, padded: without padding it may be a path
  {
    ...format('encoded', ['='], run('[A-Za-z0-9+/]', '={1,2}')),
    words: /=(?<=[A-Za-z0-9+/]{32}=)/,
  },
]

function run(letter: string, end: string): RegExp {
  // Checks the length first, which excludes most words cheaply.
  const fileName = '(?!\\d{3}Z--[a-z2-7]{16}--[a-z]{1,16}(?![A-Za-z0-9+_-]))'
  return new RegExp(
    `(?<!${letter})(?=${letter}{32})${fileName}${mixed(letter)}${letter}{32,}${end}`,
    'g',
  )
}

export function format(kind: string, hints: readonly string[], pattern: RegExp): SecretFormat {
  return { kind, hints, pattern }
}
