import type { Catalogue } from '../catalogue.js';

export const es: Catalogue = {
  greeting: 'Hola, {name}:',
  greeting_unnamed: 'Hola:',
  link_hint: 'Si el botón no funciona, abra esta dirección:',
  footer: '{workspace} envía este mensaje automáticamente. Las respuestas no se leen.',

  invitation_subject: '{inviter} le invita a {workspace}',
  invitation_body:
    '{inviter} le invita a {workspace}. Elija una contraseña para abrir su cuenta con la dirección {email}.',
  invitation_action: 'Aceptar la invitación',
  invitation_expiry: 'El enlace funciona una sola vez, hasta el {until}.',
  invitation_ignore: 'Si no espera ninguna invitación, ignore este mensaje.',

  reset_subject: 'Elegir una nueva contraseña para {workspace}',
  reset_body: 'Se ha solicitado una nueva contraseña para la cuenta {email} en {workspace}.',
  reset_action: 'Elegir una nueva contraseña',
  reset_expiry:
    'El enlace funciona una sola vez, hasta el {until}. La nueva contraseña cierra todas las sesiones de la cuenta.',
  reset_ignore: 'Si no lo ha solicitado, ignore este mensaje: su contraseña no cambia.',

  change_old_subject: 'Confirmar el cambio de su dirección de correo en {workspace}',
  change_old_body:
    'La dirección de correo de su cuenta en {workspace} va a cambiar de {old} a {new}. El cambio se realiza cuando ambas direcciones lo hayan confirmado.',
  change_old_warning: 'Si no lo ha solicitado, anule el cambio y elija una nueva contraseña.',

  change_new_subject: 'Confirmar su dirección de correo para {workspace}',
  change_new_body:
    'Una cuenta en {workspace} va a utilizar esta dirección de correo. El cambio se realiza cuando la dirección anterior y esta lo hayan confirmado.',
  change_new_warning: 'Si no lo ha solicitado, anule el cambio o ignore este mensaje.',

  change_action: 'Confirmar el cambio',
  change_withdraw: 'Anular el cambio',
  change_expiry: 'Los enlaces funcionan una sola vez, hasta el {until}.',

  sign_in_subject: 'Nuevo inicio de sesión en {workspace}',
  sign_in_body:
    'Se ha iniciado sesión en la cuenta {email} de {workspace} desde un dispositivo o un lugar que no se había utilizado en los últimos {days} días.',
  sign_in_time: 'Hora: {time}',
  sign_in_device: 'Navegador o programa: {device}',
  sign_in_address: 'Dirección: {address}',
  sign_in_ignore: 'Si ha sido usted, no tiene que hacer nada.',
  sign_in_warning: 'Si no ha sido usted, elija una nueva contraseña: esto cierra todas las demás sesiones.',
};
