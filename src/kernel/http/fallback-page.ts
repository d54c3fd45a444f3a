interface Fallback {
  readonly version: string
  readonly status: string
}

/** Renders the page without a script: its name, version and status, and how to build the other. */
export function renderFallback({ version, status }: Fallback): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reverie</title>
<h1>Reverie</h1>
<p>Version ${escapeHtml(version)}. Status: ${escapeHtml(status)}.</p>
<p>The dashboard is not part of this build, or <code>dashboard.enabled</code> is <code>false</code>.
<code>npm run build</code> builds it.</p>
<ul>
<li><a href="/reference">The HTTP API</a></li>
<li><a href="/openapi.json">The HTTP API as a document</a></li>
</ul>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a value for text and for a quoted attribute. */
function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
