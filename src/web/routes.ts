import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  layout('pages/public-layout.tsx', [
    index('pages/home.tsx'),
    route('register', 'pages/register.tsx'),
    route('register/confirmation', 'pages/registration-confirmation.tsx'),
    route('login', 'pages/login.tsx'),
    route('trust-browser', 'pages/trust-browser.tsx'),
    route('first-password', 'pages/first-password.tsx'),
    route('second-factor', 'pages/second-factor.tsx'),
    route('announcements', 'pages/announcements.tsx'),
    route('announcements/:id', 'pages/announcement.tsx'),
    route('organization', 'pages/organization.tsx'),
    route('programs', 'pages/programs.tsx'),
    route('faq', 'pages/faq.tsx'),
    route('contact', 'pages/contact.tsx'),
    route('privacy', 'pages/privacy.tsx'),
    route('terms', 'pages/terms.tsx'),
    route('verify/:code?', 'pages/verify.tsx'),
    route('unsubscribe', 'pages/unsubscribe.tsx'),
  ]),
  route('language/:language', 'pages/language.tsx'),
  route('dashboard', 'pages/dashboard.tsx'),
  route('admin', 'pages/admin.tsx', [
    index('pages/admin-tabs.tsx'),
    route('archived', 'pages/admin-archived.tsx'),
  ]),
  layout('pages/admin-layout.tsx', [
    route('statistics', 'pages/statistics.tsx'),
    route('email-test', 'pages/email-test.tsx'),
    route('server-test', 'pages/server-test.tsx'),
    route('poster', 'pages/poster.tsx'),
    route('help/:page?', 'pages/help.tsx'),
  ]),
  route('*', 'pages/redirect-home.tsx'),
] satisfies RouteConfig
