import { html } from 'hono/html'
import type { Problem } from '#shared/problem.ts'

/**
 * A problem as a page, for a browser that was refused before any page was made: too many requests, another
 * origin, a time-out. Going back is the way out, because browsers then keep what was typed into a form.
 *
 * @param nonce of the answer's Content-Security-Policy
 */
export function problemPage({ title, detail }: Problem, nonce: string) {
  return html`<!doctype html>
<html lang="en-PH">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · NSTP Portal</title>
<style nonce="${nonce}">
body { max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; color: #14231c; background: #f5f7f5 }
a { color: #17533d; font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #e8efeb; background: #0e1713 } a { color: #8fd3b3 } }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${detail}</p>
<p>Go back in your browser to keep what you typed, or <a href="/">go to the home page</a>.</p>
</main>
</body>
</html>`
}
