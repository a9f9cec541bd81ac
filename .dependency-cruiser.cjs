/**
 * The import rules: web → shared ← server; on the server routes → service → repository → database; on the
 * web pages → features → components → lib. Features meet in `api.ts` and in pages, never in each other.
 */
const serverTests = '[.]test[.]tsx?$'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'students-know-terms-and-certificates',
      comment: 'A change of a record changes them with it, so they know nothing of the feature of records.',
      severity: 'error',
      from: { path: '^src/server/features/(terms|certificates|privacy)/', pathNot: serverTests },
      to: { path: '^src/server/features/students/' },
    },
    {
      name: 'shared-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: serverTests },
      to: { path: '^(src/(web|server)|tests|bench|scripts)/' },
    },
    {
      name: 'web-knows-of-the-server-only-its-type',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/', pathNot: '^src/server/api[.]ts$' },
    },
    {
      name: 'web-imports-the-api-as-a-type',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/api[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'responses-reach-the-web-as-types',
      comment: 'Their schemas are built with the whole of zod, which no page needs.',
      severity: 'error',
      from: { path: '^src/(web|shared)/', pathNot: ['-response[.]ts$', serverTests] },
      to: { path: '^src/shared/.*(-response|/picture)[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-knows-of-the-web-only-its-context-key',
      severity: 'error',
      from: { path: '^src/server/', pathNot: serverTests },
      to: { path: '^src/web/', pathNot: '^src/web/lib/page-context[.]ts$' },
    },
    {
      name: 'components-and-lib-know-no-feature',
      severity: 'error',
      from: { path: '^src/web/(components|lib)/' },
      to: { path: '^src/web/(features|pages)/' },
    },
    {
      name: 'lib-knows-no-component',
      severity: 'error',
      from: { path: '^src/web/lib/' },
      to: { path: '^src/web/components/' },
    },
    {
      name: 'web-features-never-import-pages',
      severity: 'error',
      from: { path: '^src/web/features/' },
      to: { path: '^src/web/pages/' },
    },
    {
      name: 'web-features-stay-apart',
      comment: 'A page hands one feature to another as a child.',
      severity: 'error',
      from: { path: '^src/web/features/([^/]+)/' },
      to: { path: '^src/web/features/', pathNot: '^src/web/features/$1/' },
    },
    {
      name: 'only-repositories-touch-the-database',
      severity: 'error',
      from: { path: '^src/server/features/', pathNot: ['repository[.]ts$', serverTests] },
      // What a failure of the database is called, whoever waits for it may know.
      to: {
        path: '^src/server/database/',
        pathNot: '^src/server/database/errors[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'http-knows-no-feature',
      comment: 'What it needs of one, app.ts hands in.',
      severity: 'error',
      from: { path: '^src/server/http/', pathNot: serverTests },
      to: { path: '^src/server/features/' },
    },
    {
      name: 'statements-stand-in-repositories',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/server/database/', 'repository[.]ts$', serverTests] },
      to: { path: 'node_modules/kysely/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-go-through-their-service',
      severity: 'error',
      from: { path: '^src/server/features/[^/]+/[^/]*routes[.]ts$' },
      to: { path: 'repository[.]ts$' },
    },
    {
      name: 'nothing-calls-upward',
      severity: 'error',
      from: { path: '^src/server/features/[^/]+/[^/]*(service|repository)[.]ts$' },
      to: { path: 'routes[.]ts$|^src/server/http/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'other-features-by-their-service',
      severity: 'error',
      from: { path: '^src/server/features/([^/]+)/', pathNot: serverTests },
      // Two repositories that others use: a message is written in the transaction of its cause, and a person is erased
      // in that of a deletion or a restore. And what a token and a secure cookie are, which students have too.
      to: {
        path: '^src/server/features/',
        pathNot: [
          '^src/server/features/$1/',
          'service[.]ts$',
          '^src/server/features/mail/ledger-repository[.]ts$',
          '^src/server/features/privacy/erasure-repository[.]ts$',
          '^src/server/features/auth/session-cookies[.]ts$',
        ],
      },
    },
    {
      name: 'access-is-made-by-guards',
      comment:
        'And where nobody is signed in: work that goes on later asks again, an export is written in another thread, and the ' +
        'product itself mails announcements. A roll asks for the own sections first, which an Access does not know, and /my for one student.',
      severity: 'error',
      from: {
        path: '^src/server/',
        pathNot: [
          '^src/server/http/(auth|event-routes)[.]ts$',
          '^src/server/features/auth/service[.]ts$',
          '^src/server/features/students/export[.]ts$',
          '^src/server/features/imports/work[.]ts$',
          '^src/server/features/attendance/roll-service[.]ts$',
          '^src/server/features/attendance/own-attendance-service[.]ts$',
          '^src/server/features/mail/announcement-service[.]ts$',
          '^src/server/demo/',
          serverTests,
        ],
      },
      to: { path: '^src/server/lib/access[.]ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: serverTests },
      to: { path: '^(tests|bench|scripts)/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // numfmt 4.0.1 names a file of types that it lacks. Compilers and Node.js take the next one.
      to: { couldNotResolve: true, pathNot: '^virtual:|^numfmt$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[+]types/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
