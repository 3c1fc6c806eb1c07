import type { englishMails } from './english-mails.ts'
import { nameInMail } from './mail-text.ts'

const notYou = 'Se foi você, não há nada a fazer. Se não foi, defina uma nova senha agora mesmo.'
const ignore = 'Se você não pediu isto, ignore este e-mail: nada muda.'
const forMinutes = (minutes: number) => `O link funciona uma vez e expira em ${minutes} minutos.`

const yourAccount = (username: string): string =>
  nameInMail(username) ? `sua conta ${nameInMail(username)}` : 'sua conta'
const ofApp = (app: string): string => (nameInMail(app) ? ` para ${nameInMail(app)}` : '')

/** The same emails; the compiler reports a missing one. */
export const portugueseMails: typeof englishMails = {
  test: (_, { name }) => ({
    subject: `E-mail de teste de ${name}`,
    lines: ['Este e-mail foi enviado para testar as configurações de e-mail. Elas funcionam.'],
  }),
  'password-reset': ({ username, link, minutes }, { name }) => ({
    subject: `Defina uma nova senha para ${name}`,
    lines: [`Alguém pediu uma nova senha para ${yourAccount(username)} em ${name}. Este link a define:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'user-password-reset': ({ app, username, link, minutes }) => ({
    subject: `Defina uma nova senha${ofApp(app)}`,
    lines: [`Alguém pediu uma nova senha para ${yourAccount(username)}${ofApp(app)}. Este link a define:`],
    link,
    closing: [forMinutes(minutes), ignore],
  }),
  'password-changed': ({ username }, { name }) => ({
    subject: `Sua senha em ${name} foi alterada`,
    lines: [
      `A senha de ${yourAccount(username)} em ${name} foi alterada, e todas as sessões anteriores terminaram.`,
      notYou,
    ],
  }),
  'email-changed': ({ username }, { name }) => ({
    subject: `Seu endereço de e-mail em ${name} foi alterado`,
    lines: [
      `Os e-mails sobre ${yourAccount(username)} em ${name} vão para outro endereço a partir de agora; este é o último aqui.`,
      'Se não foi você, entre, volte ao endereço anterior e defina uma nova senha; se não conseguir, fale com um administrador.',
    ],
  }),
  'email-change-requested': ({ username }, { name }) => ({
    subject: `Um novo endereço de e-mail foi solicitado para sua conta em ${name}`,
    lines: [
      `Um novo endereço de e-mail foi solicitado para ${yourAccount(username)} em ${name}. Ele substitui este assim que for confirmado.`,
      'Se você não sabe do que se trata, fale com quem convidou você.',
    ],
  }),
  'confirm-email': ({ username, link, hours }, { name }) => ({
    subject: `Confirme seu novo endereço de e-mail em ${name}`,
    lines: [`Este endereço será usado para ${yourAccount(username)} em ${name}. Este link o confirma:`],
    link,
    closing: [`O link funciona uma vez e expira em ${hours} horas.`, ignore],
  }),
  'two-factor-on': ({ username }, { name }) => ({
    subject: `A autenticação de dois fatores está ativada em ${name}`,
    lines: [
      `A partir de agora, entrar na ${yourAccount(username)} em ${name} exige um código de um app autenticador.`,
      notYou,
    ],
  }),
  'two-factor-off': ({ username }, { name }) => ({
    subject: `A autenticação de dois fatores está desativada em ${name}`,
    lines: [`A partir de agora, para entrar na ${yourAccount(username)} em ${name} basta a senha.`, notYou],
  }),
  'new-sign-in': ({ username, time, ip, browser, page }, { name, url }) => ({
    subject: `Novo login em ${name}`,
    lines: [
      `Alguém entrou na ${yourAccount(username)} em ${name} com um dispositivo que ainda não tinha sido usado.`,
      `Quando: ${time}`,
      `De onde: ${ip}`,
      `Navegador: ${browser || 'desconhecido'}`,
      'Se foi você, não há nada a fazer. Se não foi, defina uma nova senha; suas sessões estão listadas aqui:',
    ],
    link: `${url}/${page}`,
  }),
  'mail-server-changed': ({ username, time, ip, host }, { name, url }) => ({
    subject: `O servidor de e-mail de ${name} foi alterado`,
    lines: [
      `${nameInMail(username) || 'Um administrador'} alterou as configurações de e-mail de ${name}.`,
      `Quando: ${time}`,
      `De onde: ${ip}`,
      host === '' ? 'Novo servidor de e-mail: nenhum; o e-mail está desativado' : `Novo servidor de e-mail: ${host}`,
      'Os links para novas senhas são enviados pelo servidor de e-mail. Se nenhum administrador da sua equipe fez isso, defina uma nova senha e depois desfaça a alteração:',
    ],
    link: `${url}/admin/settings`,
  }),
  'plan-ending': ({ username, plan, time, days }, { name, url }) => ({
    subject: `Seu plano ${plan} em ${name} termina ${days === 1 ? 'amanhã' : `em ${days} dias`}`,
    lines: [
      `O plano ${plan} da ${yourAccount(username)} termina em ${time}. Depois disso valem os limites do plano Free: nada é excluído, mas nada pode ser adicionado acima deles, e o que o Free não inclui para de funcionar, como as chamadas de webhooks e a marca dos domínios de revendedores.`,
      'O que você usa e o que os planos oferecem:',
    ],
    link: `${url}/profile`,
  }),
  'plan-ended': ({ username, plan, time }, { name, url }) => ({
    subject: `Seu plano ${plan} em ${name} terminou`,
    lines: [
      `O plano ${plan} da ${yourAccount(username)} terminou em ${time}. Agora valem os limites do plano Free: nada foi excluído, mas nada pode ser adicionado acima deles, e o que o Free não inclui parou de funcionar, como as chamadas de webhooks e a marca dos domínios de revendedores.`,
      'O que você usa e o que os planos oferecem:',
    ],
    link: `${url}/profile`,
  }),
  'webhook-stopped': ({ appId, app, host, reason }, { url }) => ({
    subject: `Um webhook${ofApp(app)} foi parado`,
    lines: [
      reason === 'gone'
        ? `O webhook para ${host}${ofApp(app)} respondeu que não existe mais (410 Gone), por isso nada mais é entregue a ele.`
        : `O webhook para ${host}${ofApp(app)} falha há cinco dias sem um único sucesso, por isso nada mais é entregue a ele.`,
      'O resultado de cada entrega está listado aqui; corrija a causa e retome as entregas lá:',
    ],
    link: `${url}/a/${appId}/webhooks`,
  }),
}
