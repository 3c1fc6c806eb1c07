import type { englishMails } from './english-mails.ts'
import { nameInMail } from './mail-text.ts'

const notYou = 'Si fuiste tú, no tienes que hacer nada. Si no, define una nueva contraseña de inmediato.'
const ignore = 'Si no pediste esto, ignora este correo: no cambia nada.'
const forMinutes = (minutes: number) => `El enlace funciona una vez y expira en ${minutes} minutos.`

const yourAccount = (username: string): string =>
  nameInMail(username) ? `tu cuenta ${nameInMail(username)}` : 'tu cuenta'
const ofApp = (app: string): string => (nameInMail(app) ? ` para ${nameInMail(app)}` : '')

/** The same emails; the compiler reports a missing one. */
export const spanishMails: typeof englishMails = {
  test: (_, { name }) => ({
    subject: `Correo de prueba de ${name}`,
    lines: ['Este correo se envió para probar la configuración de correo. Funciona.'],
  }),
  'password-reset': ({ username, link, minutes }, { name }) => ({
    subject: `Define una nueva contraseña para ${name}`,
    lines: [`Alguien pidió una nueva contraseña para ${yourAccount(username)} en ${name}. Este enlace la define:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'user-password-reset': ({ app, username, link, minutes }) => ({
    subject: `Define una nueva contraseña${ofApp(app)}`,
    lines: [`Alguien pidió una nueva contraseña para ${yourAccount(username)}${ofApp(app)}. Este enlace la define:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'password-changed': ({ username }, { name }) => ({
    subject: `Se cambió tu contraseña de ${name}`,
    lines: [
      `Se cambió la contraseña de ${yourAccount(username)} en ${name}, y todas las sesiones anteriores terminaron.`,
      notYou,
    ],
  }),
  'email-changed': ({ username }, { name }) => ({
    subject: `Se cambió tu dirección de correo electrónico en ${name}`,
    lines: [
      `Desde ahora, los correos sobre ${yourAccount(username)} en ${name} van a otra dirección; este es el último que llega aquí.`,
      'Si no fuiste tú, inicia sesión, vuelve a poner la dirección anterior y define una nueva contraseña; si no puedes, pide ayuda a un administrador.',
    ],
  }),
  'email-change-requested': ({ username }, { name }) => ({
    subject: `Se solicitó una nueva dirección de correo electrónico para tu cuenta en ${name}`,
    lines: [
      `Se solicitó una nueva dirección de correo electrónico para ${yourAccount(username)} en ${name}. Reemplazará a esta en cuanto se confirme.`,
      'Si no sabes de qué se trata, pregunta al propietario que te invitó.',
    ],
  }),
  'confirm-email': ({ username, link, hours }, { name }) => ({
    subject: `Confirma tu nueva dirección de correo electrónico en ${name}`,
    lines: [`Esta dirección se usará para ${yourAccount(username)} en ${name}. Este enlace la confirma:`],
    link,
    closing: [`El enlace funciona una vez y expira en ${hours} horas.`, ignore],
  }),
  'two-factor-on': ({ username }, { name }) => ({
    subject: `La autenticación de dos factores está activada en ${name}`,
    lines: [
      `Desde ahora, para iniciar sesión en ${yourAccount(username)} en ${name} se necesita un código de una app de autenticación.`,
      notYou,
    ],
  }),
  'two-factor-off': ({ username }, { name }) => ({
    subject: `La autenticación de dos factores está desactivada en ${name}`,
    lines: [`Desde ahora, para iniciar sesión en ${yourAccount(username)} en ${name} basta la contraseña.`, notYou],
  }),
  'new-sign-in': ({ username, time, ip, browser, page }, { name, url }) => ({
    subject: `Nuevo inicio de sesión en ${name}`,
    lines: [
      `Alguien inició sesión en ${yourAccount(username)} en ${name} con un dispositivo que no se había usado antes.`,
      `Cuándo: ${time}`,
      `Desde dónde: ${ip}`,
      `Navegador: ${browser || 'desconocido'}`,
      'Si fuiste tú, no tienes que hacer nada. Si no, define una nueva contraseña; tus sesiones aparecen aquí:',
    ],
    link: `${url}/${page}`,
  }),
  'mail-server-changed': ({ username, time, ip, host }, { name, url }) => ({
    subject: `Se cambió el servidor de correo de ${name}`,
    lines: [
      `${nameInMail(username) || 'Un administrador'} cambió la configuración de correo de ${name}.`,
      `Cuándo: ${time}`,
      `Desde dónde: ${ip}`,
      host === ''
        ? 'Nuevo servidor de correo: ninguno; el correo está desactivado'
        : `Nuevo servidor de correo: ${host}`,
      'Los enlaces para nuevas contraseñas se envían a través del servidor de correo. Si ningún administrador de tu equipo hizo esto, define una nueva contraseña y luego revierte el cambio:',
    ],
    link: `${url}/admin/settings`,
  }),
  'plan-ending': ({ username, plan, time, days }, { name, url }) => ({
    subject: `Tu plan ${plan} en ${name} termina ${days === 1 ? 'mañana' : `en ${days} días`}`,
    lines: [
      `El plan ${plan} de ${yourAccount(username)} termina el ${time}. Después se aplican los límites del plan Free: no se elimina nada, pero no se puede agregar nada por encima de ellos, y lo que Free no incluye deja de funcionar, como las llamadas a webhooks y la marca de los dominios de revendedores.`,
      'Lo que usas y lo que ofrecen los planes:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ended': ({ username, plan, time }, { name, url }) => ({
    subject: `Tu plan ${plan} en ${name} terminó`,
    lines: [
      `El plan ${plan} de ${yourAccount(username)} terminó el ${time}. Ahora se aplican los límites del plan Free: no se eliminó nada, pero no se puede agregar nada por encima de ellos, y lo que Free no incluye dejó de funcionar, como las llamadas a webhooks y la marca de los dominios de revendedores.`,
      'Lo que usas y lo que ofrecen los planes:',
    ],
    link: `${url}/profile`,
  }),
  'webhook-stopped': ({ appId, app, host, reason }, { url }) => ({
    subject: `Se detuvo un webhook${ofApp(app)}`,
    lines: [
      reason === 'gone'
        ? `El webhook a ${host}${ofApp(app)} respondió que ya no existe (410 Gone), así que ya no se le entrega nada.`
        : `El webhook a ${host}${ofApp(app)} lleva cinco días fallando sin un solo éxito, así que ya no se le entrega nada.`,
      'Aquí aparece el resultado de cada entrega; corrige la causa y reanuda allí las entregas:',
    ],
    link: `${url}/a/${appId}/webhooks`,
  }),
}
