/** The parts of the page that only somebody who fills the form in needs, loaded apart from it. */
interface EnlistmentParts {
  EnlistmentForm: typeof import('./enlistment-form.tsx').EnlistmentForm
  EnlistedPanel: typeof import('./enlisted-panel.tsx').EnlistedPanel
}

let parts: EnlistmentParts | undefined

/** Loads the form and what comes after it: together, so that a connection lost in between doesn't matter. */
export async function loadParts(): Promise<EnlistmentParts> {
  const [{ EnlistmentForm }, { EnlistedPanel }] = await Promise.all([
    import('./enlistment-form.tsx'),
    import('./enlisted-panel.tsx'),
  ])
  parts = { EnlistmentForm, EnlistedPanel }
  return parts
}

/** The parts, if they are there already: on the server always, in the browser after a link to the page. */
export function loadedParts(): EnlistmentParts | undefined {
  return parts
}
