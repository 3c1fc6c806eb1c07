"""Every code of sdks/codes.json. Written by tools/make-client-codes.ts; do not edit."""

from __future__ import annotations

from enum import Enum
from typing import Dict


class SignetCode(str, Enum):
    """The codes known to this version. A newer server may send others."""

    APP_DISABLED = "APP_DISABLED"
    APP_NOT_FOUND = "APP_NOT_FOUND"
    BAD_REQUEST = "BAD_REQUEST"
    BAD_SIGNATURE = "BAD_SIGNATURE"
    BODY_TOO_LARGE = "BODY_TOO_LARGE"
    CANCELLED = "CANCELLED"
    CANNOT_OPEN_SEALED_BODY = "CANNOT_OPEN_SEALED_BODY"
    CHARACTER_NOT_ALLOWED = "CHARACTER_NOT_ALLOWED"
    CLOCK_SKEW = "CLOCK_SKEW"
    DATABASE_UNAVAILABLE = "DATABASE_UNAVAILABLE"
    DOWNLOAD_NOT_FOUND = "DOWNLOAD_NOT_FOUND"
    EMAIL_INVALID = "EMAIL_INVALID"
    FIELD_REQUIRED = "FIELD_REQUIRED"
    FILE_CORRUPT = "FILE_CORRUPT"
    FILE_NOT_WRITTEN = "FILE_NOT_WRITTEN"
    FINGERPRINT_MISMATCH = "FINGERPRINT_MISMATCH"
    HASH_MISMATCH = "HASH_MISMATCH"
    HWID_MISMATCH = "HWID_MISMATCH"
    HWID_REQUIRED = "HWID_REQUIRED"
    HWID_TOO_SHORT = "HWID_TOO_SHORT"
    HWID_UNAVAILABLE = "HWID_UNAVAILABLE"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    INVALID_CONFIGURATION = "INVALID_CONFIGURATION"
    INVALID_CREDENTIALS = "INVALID_CREDENTIALS"
    INVALID_REQUEST = "INVALID_REQUEST"
    LICENSE_ALREADY_USED = "LICENSE_ALREADY_USED"
    LICENSE_BANNED = "LICENSE_BANNED"
    LICENSE_NOT_FOUND = "LICENSE_NOT_FOUND"
    LOGIN_COOLDOWN = "LOGIN_COOLDOWN"
    LOG_MESSAGE_REQUIRED = "LOG_MESSAGE_REQUIRED"
    LOG_MESSAGE_TOO_LONG = "LOG_MESSAGE_TOO_LONG"
    MAIL_OFF = "MAIL_OFF"
    MAINTENANCE = "MAINTENANCE"
    MALFORMED_REPLY = "MALFORMED_REPLY"
    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    NETWORK = "NETWORK"
    NONCE_REUSED = "NONCE_REUSED"
    NOT_SIGNED_IN = "NOT_SIGNED_IN"
    OWNER_BANNED = "OWNER_BANNED"
    PASSWORD_TOO_SHORT = "PASSWORD_TOO_SHORT"
    PROGRAM_NOT_FOUND = "PROGRAM_NOT_FOUND"
    RATE_LIMITED = "RATE_LIMITED"
    SERVER_BUSY = "SERVER_BUSY"
    SESSION_ENDED = "SESSION_ENDED"
    SESSION_EXPIRED = "SESSION_EXPIRED"
    SESSION_REPLACED = "SESSION_REPLACED"
    SESSION_REQUIRED = "SESSION_REQUIRED"
    STALE_RESPONSE = "STALE_RESPONSE"
    SUBSCRIPTION_EXPIRED = "SUBSCRIPTION_EXPIRED"
    SUBSCRIPTION_PAUSED = "SUBSCRIPTION_PAUSED"
    TEXT_TOO_LONG = "TEXT_TOO_LONG"
    UNKNOWN_KEY = "UNKNOWN_KEY"
    UNSIGNED_RESPONSE = "UNSIGNED_RESPONSE"
    USERNAME_INVALID = "USERNAME_INVALID"
    USERNAME_TAKEN = "USERNAME_TAKEN"
    USER_BANNED = "USER_BANNED"
    USER_LIMIT_REACHED = "USER_LIMIT_REACHED"
    USER_PAUSED = "USER_PAUSED"
    VARIABLE_DATA_TOO_LONG = "VARIABLE_DATA_TOO_LONG"
    VARIABLE_LIMIT_REACHED = "VARIABLE_LIMIT_REACHED"
    VARIABLE_NAME_INVALID = "VARIABLE_NAME_INVALID"
    VARIABLE_NAME_TOO_LONG = "VARIABLE_NAME_TOO_LONG"
    VARIABLE_NOT_FOUND = "VARIABLE_NOT_FOUND"
    VARIABLE_REQUIRED = "VARIABLE_REQUIRED"
    VERSION_OUTDATED = "VERSION_OUTDATED"
    VPN_BLOCKED = "VPN_BLOCKED"
    WEBHOOK_ANSWER_TOO_LARGE = "WEBHOOK_ANSWER_TOO_LARGE"
    WEBHOOK_BUSY = "WEBHOOK_BUSY"
    WEBHOOK_NOT_FOUND = "WEBHOOK_NOT_FOUND"
    WEBHOOK_UNREACHABLE = "WEBHOOK_UNREACHABLE"

    def __str__(self) -> str:
        return self.value


#: What an error says about the license: lost, request, temporary, or unverified.
VERDICTS: Dict[str, str] = {
    "APP_DISABLED": "lost",
    "APP_NOT_FOUND": "request",
    "BAD_REQUEST": "request",
    "BAD_SIGNATURE": "unverified",
    "BODY_TOO_LARGE": "request",
    "CANCELLED": "request",
    "CANNOT_OPEN_SEALED_BODY": "request",
    "CHARACTER_NOT_ALLOWED": "request",
    "CLOCK_SKEW": "temporary",
    "DATABASE_UNAVAILABLE": "temporary",
    "DOWNLOAD_NOT_FOUND": "request",
    "EMAIL_INVALID": "request",
    "FIELD_REQUIRED": "request",
    "FILE_CORRUPT": "request",
    "FILE_NOT_WRITTEN": "request",
    "FINGERPRINT_MISMATCH": "unverified",
    "HASH_MISMATCH": "lost",
    "HWID_MISMATCH": "lost",
    "HWID_REQUIRED": "request",
    "HWID_TOO_SHORT": "request",
    "HWID_UNAVAILABLE": "request",
    "INTERNAL_ERROR": "temporary",
    "INVALID_CONFIGURATION": "request",
    "INVALID_CREDENTIALS": "request",
    "INVALID_REQUEST": "request",
    "LICENSE_ALREADY_USED": "request",
    "LICENSE_BANNED": "lost",
    "LICENSE_NOT_FOUND": "request",
    "LOGIN_COOLDOWN": "temporary",
    "LOG_MESSAGE_REQUIRED": "request",
    "LOG_MESSAGE_TOO_LONG": "request",
    "MAIL_OFF": "request",
    "MAINTENANCE": "temporary",
    "MALFORMED_REPLY": "temporary",
    "MALFORMED_REQUEST": "request",
    "NETWORK": "unverified",
    "NONCE_REUSED": "temporary",
    "NOT_SIGNED_IN": "request",
    "OWNER_BANNED": "lost",
    "PASSWORD_TOO_SHORT": "request",
    "PROGRAM_NOT_FOUND": "request",
    "RATE_LIMITED": "temporary",
    "SERVER_BUSY": "temporary",
    "SESSION_ENDED": "lost",
    "SESSION_EXPIRED": "request",
    "SESSION_REPLACED": "lost",
    "SESSION_REQUIRED": "lost",
    "STALE_RESPONSE": "unverified",
    "SUBSCRIPTION_EXPIRED": "lost",
    "SUBSCRIPTION_PAUSED": "lost",
    "TEXT_TOO_LONG": "request",
    "UNKNOWN_KEY": "unverified",
    "UNSIGNED_RESPONSE": "unverified",
    "USERNAME_INVALID": "request",
    "USERNAME_TAKEN": "request",
    "USER_BANNED": "lost",
    "USER_LIMIT_REACHED": "request",
    "USER_PAUSED": "lost",
    "VARIABLE_DATA_TOO_LONG": "request",
    "VARIABLE_LIMIT_REACHED": "request",
    "VARIABLE_NAME_INVALID": "request",
    "VARIABLE_NAME_TOO_LONG": "request",
    "VARIABLE_NOT_FOUND": "request",
    "VARIABLE_REQUIRED": "request",
    "VERSION_OUTDATED": "lost",
    "VPN_BLOCKED": "request",
    "WEBHOOK_ANSWER_TOO_LARGE": "request",
    "WEBHOOK_BUSY": "temporary",
    "WEBHOOK_NOT_FOUND": "request",
    "WEBHOOK_UNREACHABLE": "request",
}

#: Sentences for customers, by code and language.
MESSAGES: Dict[str, Dict[str, str]] = {
    "APP_DISABLED": {
        "en": "The seller has turned this program off for now. Try again later, or contact the seller.",
        "pt": "O vendedor desativou este programa no momento. Tente novamente mais tarde ou fale com o vendedor.",
        "es": "El vendedor desactivó este programa por ahora. Inténtalo más tarde o contacta al vendedor.",
    },
    "APP_NOT_FOUND": {
        "en": "This program is no longer available. Contact the seller.",
        "pt": "Este programa não está mais disponível. Fale com o vendedor.",
        "es": "Este programa ya no está disponible. Contacta al vendedor.",
    },
    "BAD_REQUEST": {
        "en": "The license server doesn't understand this program. Install the latest version, or contact the seller.",
        "pt": "O servidor de licenças não entende este programa. Instale a versão mais recente ou fale com o vendedor.",
        "es": "El servidor de licencias no entiende este programa. Instala la versión más reciente o contacta al vendedor.",
    },
    "BAD_SIGNATURE": {
        "en": "The answer of the license server was changed on its way. Check your proxy, VPN, or antivirus, and try again.",
        "pt": "A resposta do servidor de licenças foi alterada no caminho. Verifique seu proxy, VPN ou antivírus e tente novamente.",
        "es": "La respuesta del servidor de licencias se alteró en el camino. Revisa tu proxy, VPN o antivirus e inténtalo de nuevo.",
    },
    "BODY_TOO_LARGE": {
        "en": "What this program sends is too large. Shorten what you entered, or contact the seller.",
        "pt": "O que este programa envia é grande demais. Encurte o que você digitou ou fale com o vendedor.",
        "es": "Lo que envía este programa es demasiado grande. Acorta lo que escribiste o contacta al vendedor.",
    },
    "CANCELLED": {
        "en": "The operation was canceled.",
        "pt": "A operação foi cancelada.",
        "es": "La operación se canceló.",
    },
    "CANNOT_OPEN_SEALED_BODY": {
        "en": "The license server can't read what this program sends. Install the latest version, or contact the seller.",
        "pt": "O servidor de licenças não consegue ler o que este programa envia. Instale a versão mais recente ou fale com o vendedor.",
        "es": "El servidor de licencias no puede leer lo que envía este programa. Instala la versión más reciente o contacta al vendedor.",
    },
    "CHARACTER_NOT_ALLOWED": {
        "en": "What you entered has a character that isn't allowed. Check it and try again.",
        "pt": "O que você digitou tem um caractere não permitido. Verifique e tente novamente.",
        "es": "Lo que escribiste tiene un carácter no permitido. Revísalo e inténtalo de nuevo.",
    },
    "CLOCK_SKEW": {
        "en": "The date and time of this computer are wrong. Correct them and try again.",
        "pt": "A data e a hora deste computador estão incorretas. Corrija-as e tente novamente.",
        "es": "La fecha y la hora de este equipo no son correctas. Corrígelas e inténtalo de nuevo.",
    },
    "DATABASE_UNAVAILABLE": {
        "en": "The license server is briefly unavailable. Try again in a moment.",
        "pt": "O servidor de licenças está indisponível por um momento. Tente novamente em instantes.",
        "es": "El servidor de licencias no está disponible por un momento. Inténtalo de nuevo en un momento.",
    },
    "DOWNLOAD_NOT_FOUND": {
        "en": "This file is no longer available. Install the latest version of this program, or contact the seller.",
        "pt": "Este arquivo não está mais disponível. Instale a versão mais recente deste programa ou fale com o vendedor.",
        "es": "Este archivo ya no está disponible. Instala la versión más reciente de este programa o contacta al vendedor.",
    },
    "EMAIL_INVALID": {
        "en": "This email address isn't valid. Check it and try again.",
        "pt": "Este endereço de email não é válido. Verifique-o e tente novamente.",
        "es": "Esta dirección de correo no es válida. Revísala e inténtalo de nuevo.",
    },
    "FIELD_REQUIRED": {
        "en": "Something that is required is missing. Fill in all fields and try again.",
        "pt": "Falta algo obrigatório. Preencha todos os campos e tente novamente.",
        "es": "Falta algo obligatorio. Completa todos los campos e inténtalo de nuevo.",
    },
    "FILE_CORRUPT": {
        "en": "The downloaded file is damaged and was deleted. Try again.",
        "pt": "O arquivo baixado está danificado e foi apagado. Tente novamente.",
        "es": "El archivo descargado está dañado y se eliminó. Inténtalo de nuevo.",
    },
    "FILE_NOT_WRITTEN": {
        "en": "The file can't be saved. Check the free space and the permissions of the folder, and try again.",
        "pt": "Não foi possível salvar o arquivo. Verifique o espaço livre e as permissões da pasta e tente novamente.",
        "es": "No se pudo guardar el archivo. Revisa el espacio libre y los permisos de la carpeta e inténtalo de nuevo.",
    },
    "FINGERPRINT_MISMATCH": {
        "en": "The connection to the license server isn't the expected one. Check your proxy, VPN, or antivirus, or install the latest version of this program.",
        "pt": "A conexão com o servidor de licenças não é a esperada. Verifique seu proxy, VPN ou antivírus ou instale a versão mais recente deste programa.",
        "es": "La conexión con el servidor de licencias no es la esperada. Revisa tu proxy, VPN o antivirus, o instala la versión más reciente de este programa.",
    },
    "HASH_MISMATCH": {
        "en": "The file of this program was changed. Reinstall the program from the seller.",
        "pt": "O arquivo deste programa foi alterado. Reinstale o programa que você recebeu do vendedor.",
        "es": "El archivo de este programa fue modificado. Reinstala el programa que recibiste del vendedor.",
    },
    "HWID_MISMATCH": {
        "en": "This license or account belongs to another computer. Ask the seller to move it to this one.",
        "pt": "Esta licença ou conta pertence a outro computador. Peça ao vendedor para transferi-la para este.",
        "es": "Esta licencia o cuenta pertenece a otro equipo. Pide al vendedor que la transfiera a este.",
    },
    "HWID_REQUIRED": {
        "en": "This computer can't be identified. Contact the seller.",
        "pt": "Não foi possível identificar este computador. Fale com o vendedor.",
        "es": "No se pudo identificar este equipo. Contacta al vendedor.",
    },
    "HWID_TOO_SHORT": {
        "en": "This computer can't be identified. Contact the seller.",
        "pt": "Não foi possível identificar este computador. Fale com o vendedor.",
        "es": "No se pudo identificar este equipo. Contacta al vendedor.",
    },
    "HWID_UNAVAILABLE": {
        "en": "This computer can't be identified. Contact the seller.",
        "pt": "Não foi possível identificar este computador. Fale com o vendedor.",
        "es": "No se pudo identificar este equipo. Contacta al vendedor.",
    },
    "INTERNAL_ERROR": {
        "en": "Something went wrong on the license server. Try again later, or contact the seller.",
        "pt": "Algo deu errado no servidor de licenças. Tente novamente mais tarde ou fale com o vendedor.",
        "es": "Algo salió mal en el servidor de licencias. Inténtalo más tarde o contacta al vendedor.",
    },
    "INVALID_CONFIGURATION": {
        "en": "This program isn't set up correctly. Contact the seller.",
        "pt": "Este programa não está configurado corretamente. Fale com o vendedor.",
        "es": "Este programa no está configurado correctamente. Contacta al vendedor.",
    },
    "INVALID_CREDENTIALS": {
        "en": "The username or password is wrong. Check both and try again.",
        "pt": "O nome de usuário ou a senha está incorreto. Verifique ambos e tente novamente.",
        "es": "El nombre de usuario o la contraseña no es correcto. Revisa ambos e inténtalo de nuevo.",
    },
    "INVALID_REQUEST": {
        "en": "What you entered isn't valid. Check it and try again.",
        "pt": "O que você digitou não é válido. Verifique e tente novamente.",
        "es": "Lo que escribiste no es válido. Revísalo e inténtalo de nuevo.",
    },
    "LICENSE_ALREADY_USED": {
        "en": "This license key has already been used. If it was you, sign in instead; otherwise contact the seller.",
        "pt": "Esta chave de licença já foi usada. Se foi você, entre na sua conta; caso contrário, fale com o vendedor.",
        "es": "Esta clave de licencia ya se usó. Si fuiste tú, inicia sesión; si no, contacta al vendedor.",
    },
    "LICENSE_BANNED": {
        "en": "This license is banned. Contact the seller.",
        "pt": "Esta licença foi banida. Fale com o vendedor.",
        "es": "Esta licencia está bloqueada. Contacta al vendedor.",
    },
    "LICENSE_NOT_FOUND": {
        "en": "This license key doesn't exist. Check it for typing errors and try again.",
        "pt": "Esta chave de licença não existe. Verifique se ela foi digitada corretamente e tente novamente.",
        "es": "Esta clave de licencia no existe. Revisa que esté bien escrita e inténtalo de nuevo.",
    },
    "LOGIN_COOLDOWN": {
        "en": "There were too many failed attempts. Wait a few minutes and try again.",
        "pt": "Houve tentativas demais sem sucesso. Aguarde alguns minutos e tente novamente.",
        "es": "Hubo demasiados intentos fallidos. Espera unos minutos e inténtalo de nuevo.",
    },
    "LOG_MESSAGE_REQUIRED": {
        "en": "The report is empty. Write something and try again.",
        "pt": "O relatório está vazio. Escreva algo e tente novamente.",
        "es": "El reporte está vacío. Escribe algo e inténtalo de nuevo.",
    },
    "LOG_MESSAGE_TOO_LONG": {
        "en": "The report is too long. Shorten it and try again.",
        "pt": "O relatório é longo demais. Encurte-o e tente novamente.",
        "es": "El reporte es demasiado largo. Acórtalo e inténtalo de nuevo.",
    },
    "MAIL_OFF": {
        "en": "This server doesn't send email. Contact the seller to get a new password.",
        "pt": "Este servidor não envia emails. Fale com o vendedor para receber uma nova senha.",
        "es": "Este servidor no envía correos. Contacta al vendedor para obtener una contraseña nueva.",
    },
    "MAINTENANCE": {
        "en": "The license server is under maintenance. Try again later.",
        "pt": "O servidor de licenças está em manutenção. Tente novamente mais tarde.",
        "es": "El servidor de licencias está en mantenimiento. Inténtalo más tarde.",
    },
    "MALFORMED_REPLY": {
        "en": "The license server answered in a way that this program doesn't understand. Install the latest version, or try again later.",
        "pt": "O servidor de licenças respondeu de uma forma que este programa não entende. Instale a versão mais recente ou tente novamente mais tarde.",
        "es": "El servidor de licencias respondió de una forma que este programa no entiende. Instala la versión más reciente o inténtalo más tarde.",
    },
    "MALFORMED_REQUEST": {
        "en": "The license server doesn't understand this program. Install the latest version, or contact the seller.",
        "pt": "O servidor de licenças não entende este programa. Instale a versão mais recente ou fale com o vendedor.",
        "es": "El servidor de licencias no entiende este programa. Instala la versión más reciente o contacta al vendedor.",
    },
    "NETWORK": {
        "en": "The license server can't be reached. Check your internet connection and try again.",
        "pt": "Não foi possível acessar o servidor de licenças. Verifique sua conexão com a internet e tente novamente.",
        "es": "No se pudo conectar con el servidor de licencias. Revisa tu conexión a internet e inténtalo de nuevo.",
    },
    "NONCE_REUSED": {
        "en": "The connection was interrupted. Try again.",
        "pt": "A conexão foi interrompida. Tente novamente.",
        "es": "La conexión se interrumpió. Inténtalo de nuevo.",
    },
    "NOT_SIGNED_IN": {
        "en": "You are not signed in. Sign in and try again.",
        "pt": "Você não está conectado. Entre e tente novamente.",
        "es": "No has iniciado sesión. Inicia sesión e inténtalo de nuevo.",
    },
    "OWNER_BANNED": {
        "en": "This program is not available. Contact the seller.",
        "pt": "Este programa não está disponível. Fale com o vendedor.",
        "es": "Este programa no está disponible. Contacta al vendedor.",
    },
    "PASSWORD_TOO_SHORT": {
        "en": "The password must have at least 8 characters. Choose a longer one.",
        "pt": "A senha deve ter pelo menos 8 caracteres. Escolha uma mais longa.",
        "es": "La contraseña debe tener al menos 8 caracteres. Elige una más larga.",
    },
    "PROGRAM_NOT_FOUND": {
        "en": "The file of this program can't be read. Reinstall the program and try again.",
        "pt": "Não foi possível ler o arquivo deste programa. Reinstale o programa e tente novamente.",
        "es": "No se pudo leer el archivo de este programa. Reinstala el programa e inténtalo de nuevo.",
    },
    "RATE_LIMITED": {
        "en": "There were too many requests. Wait a minute and try again.",
        "pt": "Houve solicitações demais. Aguarde um minuto e tente novamente.",
        "es": "Hubo demasiadas solicitudes. Espera un minuto e inténtalo de nuevo.",
    },
    "SERVER_BUSY": {
        "en": "The license server is busy. Try again in a moment.",
        "pt": "O servidor de licenças está ocupado. Tente novamente em instantes.",
        "es": "El servidor de licencias está ocupado. Inténtalo de nuevo en un momento.",
    },
    "SESSION_ENDED": {
        "en": "Your session has ended. Sign in again.",
        "pt": "Sua sessão foi encerrada. Entre novamente.",
        "es": "Tu sesión terminó. Inicia sesión de nuevo.",
    },
    "SESSION_EXPIRED": {
        "en": "Your session has expired. Sign in again.",
        "pt": "Sua sessão expirou. Entre novamente.",
        "es": "Tu sesión caducó. Inicia sesión de nuevo.",
    },
    "SESSION_REPLACED": {
        "en": "Your license or account was used to sign in somewhere else. Sign in again to continue here.",
        "pt": "Sua licença ou conta foi usada para entrar em outro lugar. Entre novamente para continuar aqui.",
        "es": "Tu licencia o cuenta se usó para iniciar sesión en otro lugar. Inicia sesión de nuevo para continuar aquí.",
    },
    "SESSION_REQUIRED": {
        "en": "You are not signed in. Sign in and try again.",
        "pt": "Você não está conectado. Entre e tente novamente.",
        "es": "No has iniciado sesión. Inicia sesión e inténtalo de nuevo.",
    },
    "STALE_RESPONSE": {
        "en": "The answer of the license server is too old. Check the date and time of this computer, and try again.",
        "pt": "A resposta do servidor de licenças é antiga demais. Verifique a data e a hora deste computador e tente novamente.",
        "es": "La respuesta del servidor de licencias es demasiado antigua. Revisa la fecha y la hora de este equipo e inténtalo de nuevo.",
    },
    "SUBSCRIPTION_EXPIRED": {
        "en": "Your subscription has expired. Renew it with the seller to continue.",
        "pt": "Sua assinatura expirou. Renove-a com o vendedor para continuar.",
        "es": "Tu suscripción caducó. Renuévala con el vendedor para continuar.",
    },
    "SUBSCRIPTION_PAUSED": {
        "en": "Your subscription is paused. Contact the seller.",
        "pt": "Sua assinatura está pausada. Fale com o vendedor.",
        "es": "Tu suscripción está en pausa. Contacta al vendedor.",
    },
    "TEXT_TOO_LONG": {
        "en": "What you entered is too long. Shorten it and try again.",
        "pt": "O que você digitou é longo demais. Encurte e tente novamente.",
        "es": "Lo que escribiste es demasiado largo. Acórtalo e inténtalo de nuevo.",
    },
    "UNKNOWN_KEY": {
        "en": "The license server couldn't be verified. Install the latest version of this program, or contact the seller.",
        "pt": "Não foi possível verificar o servidor de licenças. Instale a versão mais recente deste programa ou fale com o vendedor.",
        "es": "No se pudo verificar el servidor de licencias. Instala la versión más reciente de este programa o contacta al vendedor.",
    },
    "UNSIGNED_RESPONSE": {
        "en": "The answer didn't come from the license server. Check your internet connection, proxy, or VPN, and try again in a minute.",
        "pt": "A resposta não veio do servidor de licenças. Verifique sua conexão com a internet, proxy ou VPN e tente novamente em um minuto.",
        "es": "La respuesta no vino del servidor de licencias. Revisa tu conexión a internet, proxy o VPN e inténtalo de nuevo en un minuto.",
    },
    "USERNAME_INVALID": {
        "en": "The username must have 3 to 64 visible characters. Choose another one.",
        "pt": "O nome de usuário deve ter de 3 a 64 caracteres visíveis. Escolha outro.",
        "es": "El nombre de usuario debe tener de 3 a 64 caracteres visibles. Elige otro.",
    },
    "USERNAME_TAKEN": {
        "en": "This username is already taken. Choose another one.",
        "pt": "Este nome de usuário já está em uso. Escolha outro.",
        "es": "Este nombre de usuario ya está en uso. Elige otro.",
    },
    "USER_BANNED": {
        "en": "Your account is banned. Contact the seller.",
        "pt": "Sua conta foi banida. Fale com o vendedor.",
        "es": "Tu cuenta está bloqueada. Contacta al vendedor.",
    },
    "USER_LIMIT_REACHED": {
        "en": "This program doesn't accept new users right now. Contact the seller.",
        "pt": "Este programa não aceita novos usuários no momento. Fale com o vendedor.",
        "es": "Este programa no acepta usuarios nuevos por ahora. Contacta al vendedor.",
    },
    "USER_PAUSED": {
        "en": "Your account is paused. Contact the seller.",
        "pt": "Sua conta está pausada. Fale com o vendedor.",
        "es": "Tu cuenta está en pausa. Contacta al vendedor.",
    },
    "VARIABLE_DATA_TOO_LONG": {
        "en": "The value of this setting is too long. Use a shorter one.",
        "pt": "O valor desta configuração é longo demais. Use um mais curto.",
        "es": "El valor de esta configuración es demasiado largo. Usa uno más corto.",
    },
    "VARIABLE_LIMIT_REACHED": {
        "en": "No more settings can be saved for your account. Contact the seller.",
        "pt": "Não é possível salvar mais configurações na sua conta. Fale com o vendedor.",
        "es": "No se pueden guardar más configuraciones en tu cuenta. Contacta al vendedor.",
    },
    "VARIABLE_NAME_INVALID": {
        "en": "The name of this setting has characters that aren't allowed.",
        "pt": "O nome desta configuração tem caracteres não permitidos.",
        "es": "El nombre de esta configuración tiene caracteres no permitidos.",
    },
    "VARIABLE_NAME_TOO_LONG": {
        "en": "The name of this setting is too long.",
        "pt": "O nome desta configuração é longo demais.",
        "es": "El nombre de esta configuración es demasiado largo.",
    },
    "VARIABLE_NOT_FOUND": {
        "en": "A setting that this program needs is missing. Contact the seller.",
        "pt": "Falta uma configuração de que este programa precisa. Fale com o vendedor.",
        "es": "Falta una configuración que este programa necesita. Contacta al vendedor.",
    },
    "VARIABLE_REQUIRED": {
        "en": "This setting needs a name and a value.",
        "pt": "Esta configuração precisa de um nome e de um valor.",
        "es": "Esta configuración necesita un nombre y un valor.",
    },
    "VERSION_OUTDATED": {
        "en": "This version is out of date. Install the latest version of this program.",
        "pt": "Esta versão está desatualizada. Instale a versão mais recente deste programa.",
        "es": "Esta versión está desactualizada. Instala la versión más reciente de este programa.",
    },
    "VPN_BLOCKED": {
        "en": "This program doesn't work over a VPN. Turn the VPN off and try again.",
        "pt": "Este programa não funciona com VPN. Desligue a VPN e tente novamente.",
        "es": "Este programa no funciona con VPN. Desactiva la VPN e inténtalo de nuevo.",
    },
    "WEBHOOK_ANSWER_TOO_LARGE": {
        "en": "The seller's service answered with too much data. Contact the seller.",
        "pt": "O serviço do vendedor respondeu com dados demais. Fale com o vendedor.",
        "es": "El servicio del vendedor respondió con demasiados datos. Contacta al vendedor.",
    },
    "WEBHOOK_BUSY": {
        "en": "The seller's service is busy. Try again in a moment.",
        "pt": "O serviço do vendedor está ocupado. Tente novamente em instantes.",
        "es": "El servicio del vendedor está ocupado. Inténtalo de nuevo en un momento.",
    },
    "WEBHOOK_NOT_FOUND": {
        "en": "This function is no longer available. Install the latest version of this program, or contact the seller.",
        "pt": "Esta função não está mais disponível. Instale a versão mais recente deste programa ou fale com o vendedor.",
        "es": "Esta función ya no está disponible. Instala la versión más reciente de este programa o contacta al vendedor.",
    },
    "WEBHOOK_UNREACHABLE": {
        "en": "The seller's service can't be reached right now. Try again later.",
        "pt": "O serviço do vendedor não pode ser acessado agora. Tente novamente mais tarde.",
        "es": "No se puede conectar con el servicio del vendedor en este momento. Inténtalo más tarde.",
    },
}
