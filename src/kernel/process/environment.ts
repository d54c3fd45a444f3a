/** Variables that make a program load other code first. */
const loaders = [
  /^(LD|DYLD)_/,
  /^NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|REPL_EXTERNAL_MODULE)$/,
  /^(PYTHON(PATH|STARTUP|HOME|INSPECT)|PERL5?(LIB|OPT)|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|IFS|PS4|BASH_FUNC_.*)$/,
  /^GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND|EXEC_PATH|CONFIG.*)$/,
]

/** Default PATH of a child. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

/** Builds the environment of a child. It inherits no variables. */
export function childEnvironment(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const allowed = Object.entries(variables).filter(([name]) => !isLoader(name))
  return { PATH: defaultPath, ...Object.fromEntries(allowed) }
}

function isLoader(name: string): boolean {
  return loaders.some((loader) => loader.test(name.toUpperCase()))
}
