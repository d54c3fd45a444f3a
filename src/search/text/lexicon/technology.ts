/** Software, networks and devices: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const technology = `
  hardware | hardware | hardware | matériel | 硬件
  processor cpu | prozessor | procesador | processeur | 处理器
  chip | chip | chip | puce | 芯片
  ram memory | arbeitsspeicher speicher | memoria | mémoire | 内存
  disk drive ssd | festplatte laufwerk | disco | disque | 硬盘 磁盘
  usb | usb | usb | usb | 优盘 闪存
  folder directory | ordner verzeichnis | carpeta directorio | dossier répertoire | 文件夹 目录
  download | herunterladen download heruntergeladen | descargar descarga | télécharger téléchargement | 下载
  upload | hochladen upload hochgeladen | subir | téléverser téléversement | 上传
  link hyperlink | link verknüpfung | enlace vínculo | lien | 链接
  browser | browser | navegador | navigateur | 浏览器
  bookmark | lesezeichen | marcador favorito | signet favori | 书签
  online | online | línea | ligne | 在线 线上
  offline | offline | | | 离线 线下
  cloud | cloud | nube | nuage cloud | 云端
  hosting | hosting hoster | alojamiento hospedaje | hébergement hébergeur | 托管 主机
  domain | domain domäne | dominio | domaine | 域名
  firewall | firewall | cortafuegos | | 防火墙
  router | router | enrutador router | routeur | 路由器
  switch | schalter umschalten | interruptor conmutador | interrupteur commutateur | 开关 交换机
  antenna | antenne | antena | antenne | 天线
  signal | signal | señal | signal | 信号
  reception coverage | empfang abdeckung | recepción cobertura | réception couverture | 接收 覆盖
  bandwidth | bandbreite | | | 带宽
  latency | latenz | latencia | latence | 延迟
  connection connect | verbindung verbinden verbunden | conexión conectar conectado | connexion connecter connecté | 连接
  disconnect | trennen getrennt | desconectar desconectado | déconnecter déconnecté | 断开
  interface | schnittstelle oberfläche | interfaz | interface | 接口 界面
  endpoint | endpunkt | | | 端点
  request | anfrage | petición solicitud | requête demande | 请求
  timeout | zeitüberschreitung timeout | | | 超时
  retry | wiederholung | reintento reintentar | réessayer | 重试
  cache | zwischenspeicher cache | caché | cache | 缓存
  queue | warteschlange | cola | file | 队列
  log | protokoll log | registro | journaux | 日志
  monitoring | überwachung überwachen monitoring | monitorización supervisión | surveillance supervision | 监控
  alert warning | warnung alarm | alerta advertencia | alerte avertissement | 警告 告警
  outage downtime | ausfall störung | caída interrupción corte | interruption coupure | 停机 宕机
  crash | absturz abgestürzt | | plantage planter | 崩溃
  restart reboot | neustart neustarten neugestartet | reiniciar reinicio | redémarrer redémarrage | 重启
  shutdown | herunterfahren abschaltung | apagado | arrêt | 关机
  rollback revert | zurücksetzen rollback | revertir | restaurer annuler | 回滚 还原
  restore recovery recover | wiederherstellen wiederherstellung wiederhergestellt | restaurar recuperar recuperación | restaurer récupérer restauration | 恢复
  migration migrate | migration migrieren umstellung | migración migrar | migration migrer | 迁移
  schema | schema | esquema | schéma | 模式 架构
  query | abfrage | consulta | requête | 查询
  index | index | índice | index | 索引
  column | spalte | columna | colonne |
  list | liste | lista | liste | 列表 清单
  spreadsheet table | tabelle tabellen | tabla | tableau | 表格 电子表格
  chart diagram graph | diagramm grafik | gráfico diagrama | graphique diagramme | 图表
  variable | variable | variable | variable | 变量
  function | funktion | función | fonction | 函数 功能
  feature functionality | funktion merkmal | funcionalidad característica | fonctionnalité | 功能 特性
  parameter | parameter | parámetro | paramètre | 参数
  framework | framework rahmenwerk | | | 框架
  dependency | abhängigkeit | dependencia | dépendance | 依赖
  module component | modul komponente | módulo componente | module composant | 模块 组件
  architecture | architektur | arquitectura | architecture | 架构 建筑
  algorithm | algorithmus algorithmen | algoritmo | algorithme | 算法
  script | skript | script guion | script | 脚本
  command | befehl kommando | comando orden | commande | 命令
  repository repo | repository | repositorio | dépôt | 仓库 代码库
  commit | commit | | | 提交
  merge | zusammenführen zusammengeführt | fusionar combinar | fusionner fusion | 合并
  conflict | konflikt | conflicto | conflit | 冲突
  review | überprüfung begutachtung | revisión reseña | relecture revue | 审查 评审
  debug | debuggen fehlersuche | depurar depuración | déboguer débogage | 调试
  compile compiler | kompilieren übersetzer | compilar compilador | compiler compilateur | 编译
  programming coding | programmieren programmierung | programar programación | programmer programmation | 编程
  os | betriebssystem | | | 操作系统
  platform | plattform | plataforma | plateforme | 平台
  virtual | virtuell | virtual | virtuel | 虚拟
  encryption encrypt | verschlüsselung verschlüsseln verschlüsselt | cifrado cifrar encriptar | chiffrement chiffrer | 加密
  authentication authenticate | authentifizierung anmeldung | autenticación autenticar | authentification | 认证 身份验证
  authorization authorize | berechtigung autorisierung | autorización autorizar | autorisation autoriser | 授权
  token | token | token | jeton | 令牌
  vulnerability | schwachstelle sicherheitslücke | vulnerabilidad | vulnérabilité faille | 漏洞
  hacker hacked attack | angriff hacker angreifen angegriffen | ataque atacar | attaque attaquer pirate | 攻击 黑客
  virus malware | virus schadsoftware | virus | virus | 病毒
  spam | spam | spam | pourriel spam | 垃圾邮件
  username | benutzername | | | 用户名
  register registration signup | registrieren registrierung anmelden | registrar registro inscribir | inscription inscrire enregistrer | 注册 登记
  profile | profil | perfil | profil | 个人资料 简介
  avatar | avatar profilbild | avatar | avatar | 头像
  administrator admin | administrator verwalter | administrador | administrateur | 管理员
  role | rolle | rol papel | rôle | 角色
  automation automate automatic | automatisierung automatisch automatisieren | automatización automático automatizar | automatisation automatique automatiser | 自动 自动化
  manual | manuell handbuch | manual | manuel | 手动 手册
  instructions guide | anleitung leitfaden anweisung | instrucciones guía | instructions | 说明 指南
  documentation | dokumentation | documentación | documentation | 文档
  template | vorlage | plantilla | modèle gabarit | 模板
  draft | entwurf | borrador | brouillon ébauche | 草稿 草案
  format | format | formato | format | 格式
  font typeface | schriftart schrift | fuente tipografía | | 字体
  icon | symbol icon | icono | icône | 图标
  button | knopf taste schaltfläche | botón | bouton | 按钮
  menu | menü | menú | menu | 菜单
  click | klick klicken | clic | clic cliquer | 点击
  scroll | scrollen blättern | desplazar | défiler | 滚动
  copy | kopie kopieren kopiert | copia copiar | copie copier | 复制 副本
  paste | einfügen eingefügt | pegar | coller | 粘贴
  shortcut | tastenkürzel abkürzung | atajo | raccourci | 快捷键 捷径
  notification | benachrichtigung | notificación | notification | 通知
  scan scanner | scannen scanner | escanear escáner | numériser scanner | 扫描 扫描仪
  toner cartridge ink | tinte toner patrone | tinta cartucho | encre cartouche | 墨水 墨盒
  projector | beamer projektor | proyector | projecteur | 投影仪
  television tv telly | fernseher fernsehen | televisor televisión tele | téléviseur télévision télé | 电视
  radio | radio rundfunk | radio | radio | 收音机 广播
  speaker loudspeaker | lautsprecher | altavoz parlante | enceinte | 音箱 扬声器
  headphones headset earphones | kopfhörer | auriculares audífonos | casque écouteurs | 耳机
  microphone mic | mikrofon | micrófono | micro microphone | 麦克风 话筒
  remote | fernbedienung | | télécommande | 遥控器
  smartphone mobile cellphone | smartphone handy mobiltelefon | móvil celular smartphone | portable smartphone | 智能手机
  adapter | adapter | adaptador | adaptateur | 适配器 转接头
  touchpad trackpad | touchpad | | | 触控板
  webcam | webcam | webcam | webcam | 网络摄像头
  sensor | sensor fühler | sensor | capteur | 传感器
  thermostat | thermostat | termostato | thermostat | 恒温器
  thermometer | thermometer | termómetro | thermomètre | 温度计
  drone | drohne | dron | drone | 无人机
  robot | roboter | robot | robot | 机器人
  circuit | stromkreis schaltung schaltkreis | circuito | circuit | 电路
  voltage volt | spannung volt | voltaje tensión | tension voltage | 电压
  watt wattage | watt leistung | vatio potencia | watt puissance | 瓦特 功率
  resistor resistance | widerstand | resistencia | résistance | 电阻
  transformer | transformator trafo | transformador | transformateur | 变压器
  capacitor | kondensator | condensador | condensateur | 电容
  solder | löten lötkolben gelötet | soldar soldadura | souder soudure | 焊接
  electronics | elektronik elektronisch | electrónica electrónico | électronique | 电子
  generator | generator | generador | générateur | 发电机
  solar photovoltaic | solar solaranlage photovoltaik | solar fotovoltaico | solaire photovoltaïque | 太阳能
  energy | energie | energía | énergie | 能源 能量
  pump | pumpe pumpen | bomba bombear | pompe pomper | 水泵
  fan ventilator | ventilator lüfter | ventilador | ventilateur | 风扇
  ventilation vent | lüftung belüftung lüften | ventilación | ventilation aération | 通风
  compressor | kompressor | compresor | compresseur | 压缩机
  valve | ventil | válvula | soupape valve vanne | 阀门
  filter | filter | filtro | filtre | 过滤 滤芯
  ai | ki | | ia | 人工智能
  chatbot | chatbot | chatbot | chatbot | 聊天机器人
  prompt | eingabeaufforderung | | | 提示词
  prediction predict forecast | vorhersage vorhersagen prognose | predicción pronóstico predecir | prédiction prévision prévoir | 预测 预报
  dataset | datensatz | | | 数据集
  storage | speicherplatz speicher | almacenamiento | stockage | 存储
  capacity | kapazität | capacidad | capacité | 容量
  performance | leistung performance | rendimiento | performance | 性能 表现
  load | last auslastung | carga | charge | 负载
  cluster | cluster | clúster | grappe | 集群
  proxy | proxy | proxy | proxy | 代理
  release launch | veröffentlichung freigabe start | lanzamiento publicación | lancement sortie publication | 发布 上线
  milestone | meilenstein | hito | jalon | 里程碑
  requirement | anforderung anforderungen voraussetzung | requisito | exigence | 需求 要求
  specification spec | spezifikation lastenheft | especificación | spécification | 规格 规范
  prototype | prototyp prototypen | prototipo | prototype | 原型
  maintenance maintain | wartung instandhaltung warten gewartet | mantenimiento mantener | maintenance entretien entretenir | 维护 保养
  infrastructure | infrastruktur | infraestructura | infrastructure | 基础设施
  engineering | technik ingenieurwesen | ingeniería | ingénierie | 工程
  technology technical | technologie technik technisch | tecnología técnico técnica | technologie technique | 技术
  digital | digital | digital | numérique | 数字
  statistics | statistik | estadística | statistique | 统计
  analysis analyse analyze | analyse analysieren auswertung | análisis analizar | analyse analyser | 分析
  default | standard voreinstellung | predeterminado | défaut | 默认
  enable activate | aktivieren aktiviert einschalten eingeschaltet | activar activado habilitar | activer activé | 启用 激活
  disable deactivate | deaktivieren deaktiviert ausschalten ausgeschaltet | desactivar desactivado deshabilitar | désactiver désactivé | 禁用 停用`
