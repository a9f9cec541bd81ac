interface EnlistmentParts {
  EnlistmentForm: typeof import('./enlistment-form.tsx').EnlistmentForm
  EnlistedPanel: typeof import('./enlisted-panel.tsx').EnlistedPanel
}

let parts: EnlistmentParts | undefined

/** Loads both together: the connection may be lost between them. */
export async function loadParts(): Promise<EnlistmentParts> {
  const [{ EnlistmentForm }, { EnlistedPanel }] = await Promise.all([
    import('./enlistment-form.tsx'),
    import('./enlisted-panel.tsx'),
  ])
  parts = { EnlistmentForm, EnlistedPanel }
  return parts
}

/** On the server always; in the browser after a link to the page. */
export function loadedParts(): EnlistmentParts | undefined {
  return parts
}
