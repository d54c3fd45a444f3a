/** Variables that make a program load code before its own. */
const loaders = [
  /^(LD|DYLD)_/,
  /^NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|REPL_EXTERNAL_MODULE)$/,
  /^(PYTHON(PATH|STARTUP|HOME|INSPECT)|PERL5?(LIB|OPT)|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|IFS|PS4|BASH_FUNC_.*)$/,
  /^GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND|EXEC_PATH|CONFIG.*)$/,
]

/** Where a child finds programs when nothing is said of it. */
const ordinaryPath = '/usr/local/bin:/usr/bin:/bin'

/** Nothing is inherited: a child has the variables that it is given. */
export function childEnvironment(
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const allowed = Object.entries(given).filter(([name]) => !isLoader(name))
  return { PATH: ordinaryPath, ...Object.fromEntries(allowed) }
}

function isLoader(name: string): boolean {
  return loaders.some((loader) => loader.test(name.toUpperCase()))
}
