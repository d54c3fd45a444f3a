/** Work, trade and actions: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const work = `
  work job | arbeit arbeiten arbeitet job stelle | trabajo trabajar trabaja empleo | travail travailler travaille emploi | 工作
  office | büro | oficina despacho | bureau | 办公室
  company firm business | firma unternehmen betrieb | empresa compañía negocio | entreprise société firme | 公司 企业
  department | abteilung | departamento | département service | 部门
  project | projekt | proyecto | projet | 项目
  task | aufgabe aufgaben | tarea tareas | tâche tâches | 任务
  meeting | besprechung sitzung treffen meeting | reunión reuniones | réunion réunions | 会议 开会
  agenda | agenda tagesordnung | agenda orden | ordre agenda | 议程
  minutes protocol | protokoll | acta |  | 纪要
  decision decide decided | entscheidung entschieden beschluss beschlossen | decisión decidimos decidido | décision décidé | 决定
  plan planning | plan planung planen | plan planificación | plan planification prévu | 计划
  goal aim target | ziel ziele | objetivo meta | objectif but | 目标
  deadline due | frist abgabe stichtag fällig | plazo | échéance délai | 截止 期限
  schedule timetable | zeitplan fahrplan stundenplan | horario calendario | horaire calendrier planning | 时间表 日程
  calendar | kalender | calendario | calendrier | 日历
  report | bericht berichte | informe | rapport | 报告
  presentation slides | präsentation folien | presentación | présentation diapositives | 演示 幻灯片
  document file | dokument datei unterlagen akte | documento archivo fichero | document fichier dossier | 文件 文档
  form | formular | formulario | formulaire | 表格
  letter mail post | brief post | carta correo | lettre courrier | 信件 邮件
  email mail | email mail | correo email | courriel mail | 邮箱 电子邮件
  phone telephone call | telefon handy anruf anrufen | teléfono móvil llamar llamada | téléphone appeler appel portable | 电话 手机
  number | nummer zahl | número | numéro nombre | 号码 编号
  address | adresse anschrift | dirección | adresse | 地址
  message | nachricht nachrichten | mensaje | message | 消息 信息
  question | frage fragen | pregunta | question | 问题
  answer reply | antwort antworten | respuesta responder | réponse répondre | 回答 回复
  problem issue trouble | problem probleme störung | problema | problème ennui | 问题 麻烦
  error mistake fault bug | fehler | error fallo | erreur faute panne | 错误 故障
  solution | lösung | solución | solution | 解决
  cause reason | grund ursache | causa razón motivo | cause raison | 原因
  rule policy | regel regeln vorschrift | regla norma política | règle règlement | 规则 规定
  law legal | gesetz recht | ley legal | loi droit légal | 法律
  contract agreement | vertrag verträge vereinbarung | contrato acuerdo | contrat accord | 合同 协议
  sign signed signature | unterschrift unterschrieben unterzeichnet | firmar firmado firma | signer signé signature | 签 签字
  cancel cancelled terminate | kündigen gekündigt kündigung stornieren | cancelar cancelado rescindir | annuler résilier annulé résiliation | 取消
  extend renew renewal extension | verlängern verlängerung | renovar prolongar renovación prórroga | renouveler prolonger renouvellement | 续签 延长
  expire expires end | läuft ablaufen ende endet | vence caduca termina fin | expire fin termine | 到期 过期 为止
  insurance insured | versicherung versichert | seguro aseguradora | assurance assuré | 保险
  tax taxes | steuer steuern finanzamt | impuesto impuestos hacienda | impôt impôts taxe | 税
  bank | bank | banco | banque | 银行
  account | konto | cuenta | compte | 账户 账号
  money | geld | dinero plata | argent | 钱
  cash | bargeld bar | efectivo | espèces liquide | 现金
  price cost costs expensive | preis kosten kostet teuer | precio coste costo cuesta caro vale | prix coût coûte cher tarif | 价格 多少钱 费用
  cheap | billig günstig | barato barata |  | 便宜
  fee charge dues | gebühr gebühren beitrag | cuota tarifa tasa | frais cotisation redevance | 费用 会费
  pay paid payment | zahlen bezahlen bezahlt zahlung | pagar pago pagado | payer payé paiement | 付款 支付
  invoice bill | rechnung rechnungen | factura facturas | facture factures | 发票 账单
  discount | rabatt nachlass | descuento | remise réduction rabais | 折扣
  salary wage wages | gehalt lohn | sueldo salario | salaire paie | 工资 薪水
  rent rental | miete mieten | alquiler renta | loyer location | 租金 房租
  loan mortgage | kredit darlehen hypothek | préstamo hipoteca | prêt crédit hypothèque | 贷款
  budget | budget haushalt etat | presupuesto | budget | 预算
  profit | gewinn | beneficio ganancia | bénéfice profit | 利润
  loss lost | verlust verloren | pérdida perdido | perte perdu | 丢失 损失
  sale sell sold | verkauf verkaufen verkauft | venta vender vendido | vente vendre vendu | 出售 卖
  buy bought purchase | kaufen gekauft kauf | comprar compra comprado | acheter achat acheté | 购买 买
  order ordered | bestellung bestellen bestellt | pedido pedir encargo | commande commander commandé | 订单 订购
  deliver delivery shipment | lieferung liefern zustellung | entrega entregar envío | livraison livrer expédition | 交货 送货
  package parcel | paket pakete | paquete | colis paquet | 包裹
  warehouse storage store | lager lagerhaus | almacén bodega | entrepôt stockage | 仓库
  stock inventory | bestand inventur vorrat | inventario existencias | stock inventaire | 库存 盘点
  goods product products | ware waren produkt produkte | mercancía producto productos | marchandise produit produits | 货物 产品
  pickup collect | abholen abholung | recoger recogida | enlèvement ramassage chercher | 提货 取货
  return returns | rückgabe retoure rücksendung | devolución devolver | retour renvoi | 退货
  customs | zoll | aduana | douane | 海关
  freight forwarder carrier haulier | spedition spediteur fracht frachtführer | transportista flete transitario | transporteur transitaire fret | 货代 货运
  truck lorry | lkw lastwagen | camión | camion | 卡车
  shop store | laden geschäft | tienda | magasin boutique | 商店
  market | markt | mercado | marché | 市场
  factory plant | fabrik werk | fábrica | usine | 工厂
  workshop | werkstatt | taller | atelier | 车间 工坊
  quality | qualität | calidad | qualité | 质量
  test testing | test testen prüfung | prueba probar | test essai épreuve | 测试
  check inspection | prüfen kontrolle | revisar control inspección | vérifier contrôle inspection | 检查
  approval approve | genehmigung genehmigen freigabe | aprobación aprobar | approbation approuver | 批准 审批
  permission allowed permit | erlaubnis erlaubt darf dürfen | permiso permitido | permission permis autorisé | 许可 允许
  forbidden prohibited | verboten | prohibido | interdit | 禁止
  training course | schulung kurs ausbildung | formación curso capacitación | formation cours stage | 培训 课程
  vacation holiday holidays leave | urlaub ferien | vacaciones | vacances congé | 假期 休假
  shift | schicht | turno | équipe poste | 班次
  break pause | pause | pausa descanso | pause | 休息
  start begin | beginn anfang beginnen starten | inicio empezar comienzo comenzar empieza | début commencer commence | 开始
  finish complete done | fertig beenden abgeschlossen | terminar terminado acabar | terminer fini achevé | 完成
  open opening | öffnen offen öffnung geöffnet | abrir abierto apertura | ouvrir ouvert ouverture | 开门 打开
  close closed | schließen geschlossen zu | cerrar cerrado cierre | fermer fermé fermeture | 关门 关闭
  change changed | ändern änderung geändert wechsel | cambiar cambio cambia | changer changement change | 更改 改变 变化
  move moved moving relocation | umzug umziehen umgezogen verlegt | mudanza mudar mover | déménagement déménager | 搬家
  remove delete deleted wipe | löschen gelöscht entfernen | borrar eliminar | supprimer effacer | 删除
  add added | hinzufügen | añadir agregar | ajouter | 添加
  create make build built | erstellen bauen gebaut | crear construir | créer construire | 创建
  rebuild rebuilt | neuaufbau | reconstruye reconstruir | reconstruire reconstruit | 重建
  replace replaced replacement | ersetzen ersetzt ersatz | reemplazar sustituir cambio | remplacer remplacé | 更换 替换
  install installed | installieren einbauen | instalar | installer | 安装
  use usage | benutzen verwenden | usar uso | utiliser usage | 使用
  borrow lend lent | leihen ausleihen verleihen geliehen | prestar prestado | prêter emprunter prêté | 借
  find found search | finden suche suchen gefunden | buscar encontrar | chercher trouver | 寻找 找到
  send sent | senden schicken geschickt | enviar mandar | envoyer envoyé | 发送
  receive received | erhalten empfangen bekommen | recibir recibido | recevoir reçu | 收到
  write wrote written | schreiben geschrieben | escribir escrito | écrire écrit | 写
  read reading | lesen gelesen | leer | lire lu | 读 阅读
  print printed printing | drucken gedruckt druck | imprimir impreso | imprimer imprimé impression | 打印
  printer | drucker | impresora | imprimante | 打印机
  help support | hilfe helfen unterstützung | ayuda ayudar | aide aider soutien | 帮助
  visit visited | besuch besuchen | visita visitar | visite visiter | 访问 参观
  invite invitation invites | einladung einladen | invitar invitación invita | inviter invitation invite | 邀请
  announce notice notify | ankündigen mitteilen bescheid | avisar anunciar aviso | annoncer prévenir avertir | 通知
  wait waiting | warten | esperar espera | attendre attente | 等待
  important | wichtig | importante | important | 重要
  urgent emergency | dringend notfall eilig | urgente emergencia | urgent urgence | 紧急
  responsible charge | verantwortlich zuständig | responsable encargado | responsable chargé | 负责
  free | frei kostenlos | gratis libre | gratuit libre | 免费
  new | neu neue neuer neues | nuevo nueva | nouveau nouvelle | 新的
  old | alt alte alter | viejo antiguo | vieux ancien | 旧的
  big large great | groß große | grande | grand grande gros | 大的
  small little | klein kleine | pequeño pequeña | petit petite | 小的
  fast quick | schnell | rápido | rapide vite | 快
  slow | langsam | lento | lent | 慢
  heavy weight | schwer gewicht | pesado peso | lourd poids | 重量
  long length | lang länge | largo longitud | long longueur | 长度
  high height | hoch höhe | alto altura | haut hauteur | 高度
  dangerous danger | gefährlich gefahr | peligroso peligro | dangereux danger | 危险
  safe safety security | sicher sicherheit | seguro seguridad | sûr sécurité | 安全`
