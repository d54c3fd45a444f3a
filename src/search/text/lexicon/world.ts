/** Technology, culture, travel and time: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const world = `
  computer | computer rechner | ordenador computadora | ordinateur | 电脑 计算机
  laptop notebook | laptop notebook | portátil | portable | 笔记本
  tablet | tablet tablets | tableta | tablette | 平板
  screen monitor display | bildschirm monitor anzeige | pantalla monitor | écran | 屏幕
  keyboard | tastatur | teclado | clavier | 键盘
  software program | software programm | programa | logiciel programme | 软件 程序
  app application | app anwendung | aplicación app | application appli | 应用
  website site | webseite website | sitio página | site page | 网站
  page | seite seiten | página | page | 页面
  server | server | servidor | serveur | 服务器
  network | netz netzwerk | red | réseau | 网络
  wifi wireless | wlan wifi | wifi inalámbrico | wifi | 无线
  internet | internet | internet | internet | 互联网
  database | datenbank | datos | données | 数据库
  data | daten | datos | données | 数据
  backup | sicherung backup datensicherung | respaldo copia | sauvegarde | 备份
  password | passwort kennwort | contraseña clave | passe | 密码
  login account | anmeldung login | acceso sesión | connexion identifiant | 登录
  user users | benutzer nutzer anwender | usuario usuarios | utilisateur utilisateurs | 用户
  access | zugang zugriff | acceso | accès | 权限 访问
  update upgrade | update aktualisierung | actualización actualizar |  | 更新 升级
  version release | version ausgabe veröffentlichung | versión | version | 版本
  environment | umgebung | entorno | environnement | 环境
  deploy deployment rollout | bereitstellung ausrollen deployen | despliegue desplegar | déploiement déployer | 部署
  license licence | lizenz lizenzen | licencia licencias | licence licences | 许可证
  code source | code quelltext | código | code | 代码
  branch | zweig filiale | rama sucursal | branche succursale filiale | 分支 分店
  setting settings configuration | einstellung einstellungen konfiguration | ajuste configuración | réglage paramètre configuration | 设置 配置
  camera | kamera | cámara | caméra appareil | 相机 摄像头
  photo picture image | foto bild fotos | foto imagen | photo image | 照片 图片
  video film movie | video film | vídeo película | vidéo film | 视频 电影
  music | musik | música | musique | 音乐
  song | lied lieder | canción | chanson | 歌曲
  sing singing | singen singt | cantar canta | chanter chante | 唱歌
  concert | konzert | concierto | concert | 音乐会 演唱会
  rehearsal practice | probe proben üben | ensayo ensayos práctica | répétition répétitions pratique | 排练 练习
  stage | bühne | escenario | scène | 舞台
  instrument | instrument | instrumento | instrument | 乐器
  piano | klavier piano | piano | piano | 钢琴
  violin | geige violine | violín | violon | 小提琴
  guitar | gitarre | guitarra | guitare | 吉他
  drum drums | schlagzeug trommel | batería tambor | batterie tambour | 鼓
  score sheet | noten partitur | partitura | partition | 乐谱
  book | buch bücher | libro libros | livre livres | 书
  newspaper magazine | zeitung zeitschrift | periódico revista | journal magazine | 报纸 杂志
  library | bibliothek bücherei | biblioteca | bibliothèque | 图书馆
  museum | museum | museo | musée | 博物馆
  theatre theater | theater | teatro | théâtre | 剧院
  cinema | kino | cine | cinéma | 电影院
  church | kirche | iglesia | église | 教堂
  school | schule | escuela colegio | école | 学校
  university college | universität hochschule uni | universidad | université | 大学
  kindergarten nursery | kindergarten kita | guardería | maternelle crèche | 幼儿园
  class lesson lessons | unterricht klasse stunde | clase lección | cours classe leçon | 上课 课
  homework | hausaufgaben hausaufgabe | deberes tarea | devoirs | 作业
  exam | prüfung klausur | examen | examen | 考试
  grade mark | note noten | nota calificación | note | 成绩
  language | sprache | idioma lengua | langue | 语言
  english | englisch | inglés | anglais | 英语
  german | deutsch | alemán | allemand | 德语
  spanish | spanisch | español | espagnol | 西班牙语
  french | französisch | francés | français | 法语
  chinese | chinesisch | chino | chinois | 中文
  sport sports | sport | deporte | sport | 运动 体育
  football soccer | fußball | fútbol | football foot | 足球
  tennis | tennis | tenis | tennis | 网球
  swim swimming | schwimmen schwimmt | nadar natación | nager natation | 游泳
  run running | laufen läuft rennen | correr | courir course | 跑步
  hike hiking walk | wandern wanderung spaziergang | senderismo caminar paseo | randonnée marcher promenade | 徒步 散步
  gym fitness | fitnessstudio turnhalle | gimnasio | gymnase | 健身
  game | spiel spiele | juego partido | jeu match | 游戏 比赛
  toy | spielzeug | juguete | jouet | 玩具
  hobby | hobby | afición pasatiempo | loisir | 爱好
  party celebration | feier fest party | fiesta celebración | fête soirée | 聚会 聚餐 派对
  christmas xmas | weihnachten weihnachts | navidad | noël | 圣诞
  easter | ostern | pascua | pâques | 复活节
  gift present | geschenk geschenke | regalo regalos | cadeau cadeaux | 礼物
  travel trip journey | reise reisen ausflug fahrt | viaje viajar excursión | voyage voyager excursion | 旅行 出差
  tour ride | tour ausfahrt rundfahrt | recorrido paseo gira | tour balade tournée | 骑行 游览
  passport | pass reisepass ausweis | pasaporte | passeport | 护照
  visa | visum | visado visa | visa | 签证
  ticket tickets | karte karten fahrkarte ticket | entrada entradas billete boleto | billet billets ticket place | 票 门票
  hotel | hotel unterkunft | hotel alojamiento | hôtel hébergement logement | 酒店 宾馆
  booking reservation book | buchung reservierung buchen | reserva reservar | réservation réserver | 预订
  luggage suitcase | gepäck koffer | equipaje maleta | bagage valise | 行李
  airport | flughafen | aeropuerto | aéroport | 机场
  plane flight | flugzeug flug | avión vuelo | avion vol | 飞机 航班
  train | zug bahn | tren | train | 火车
  station | bahnhof station | estación | gare station | 车站
  bus coach | bus | autobús autocar | bus autocar | 公交
  tram | straßenbahn tram | tranvía | tramway | 电车
  underground subway metro |  | metro | métro | 地铁
  taxi cab | taxi | taxi | taxi | 出租车
  car vehicle | auto wagen fahrzeug | coche carro vehículo auto | voiture véhicule | 汽车 车
  bike bicycle | fahrrad rad | bicicleta bici | vélo bicyclette | 自行车
  motorcycle motorbike | motorrad | moto motocicleta | moto motocyclette | 摩托 摩托车
  boat ship | boot schiff | barco bote | bateau navire | 船
  harbour harbor port | hafen | puerto | port | 港口
  anchor berth mooring | liegeplatz anker | amarre ancla | mouillage amarrage ancre | 泊位
  sail sailing | segel segeln | vela navegar | voile naviguer | 帆船
  engine motor | motor | motor | moteur | 发动机 引擎
  tyre tire | reifen | neumático llanta rueda | pneu | 轮胎
  wheel | rad räder | rueda | roue | 车轮
  brake | bremse bremsen | freno | frein | 刹车
  gear gearbox | getriebe gang | caja marcha | boîte vitesse | 变速箱
  tank | tank | depósito tanque | réservoir | 油箱
  frame | rahmen | marco bastidor cuadro | cadre châssis | 框架 车架
  seal gasket | dichtung dichtungen | junta sello | joint | 密封
  spare | ersatz reserve | repuesto recambio | rechange | 备用 备件
  part parts | teil teile | pieza piezas parte | pièce pièces partie | 零件 部件
  parking park | parkplatz parken parkplätze | aparcamiento aparcar estacionamiento | parking stationnement | 停车 停车场
  road street | straße weg | calle carretera camino | rue route chemin | 街道 路
  motorway highway | autobahn | autopista | autoroute | 高速公路
  corner | ecke | esquina rincón | coin | 角落
  map | karte landkarte | mapa | carte plan | 地图
  city town | stadt | ciudad | ville | 城市
  village | dorf | pueblo aldea | village | 村庄
  country | land | país | pays | 国家
  border | grenze | frontera | frontière | 边界
  germany | deutschland | alemania | allemagne | 德国
  france | frankreich | francia | france | 法国
  spain | spanien | españa | espagne | 西班牙
  italy italian | italien italienisch italiener | italia italiano italiana | italie italien | 意大利
  switzerland swiss | schweiz schweizer | suiza suizo | suisse | 瑞士
  austria | österreich | austria | autriche | 奥地利
  china | china | china | chine | 中国
  england britain | england großbritannien | inglaterra | angleterre | 英国
  america | amerika usa | américa eeuu | amérique | 美国
  day | tag tage | día días | jour journée | 天
  week | woche wochen | semana semanas | semaine | 星期 周
  month monthly | monat monate monatlich | mes meses mensual | mois mensuel | 月
  year yearly annual | jahr jahre jährlich | año años anual | an année annuel annuelle | 年
  hour | stunde stunden uhr | hora horas | heure heures | 小时 点钟
  minute minutes | minute minuten | minuto minutos | minute minutes | 分钟
  morning | morgen vormittag früh | mañana | matin matinée | 早上 上午
  noon midday | mittag | mediodía | midi | 中午
  afternoon | nachmittag | tarde |  | 下午
  evening | abend | tarde noche | soir soirée | 晚上
  night | nacht | noche | nuit | 夜里 夜晚
  weekend | wochenende | semana |  | 周末
  spring | frühling frühjahr | primavera | printemps | 春天 春季
  summer | sommer | verano | été | 夏天 夏季
  autumn fall | herbst | otoño | automne | 秋天 秋季
  winter | winter | invierno | hiver | 冬天 冬季
  monday | montag montags | lunes | lundi | 周一 星期一
  tuesday | dienstag dienstags | martes | mardi | 周二 星期二
  wednesday | mittwoch mittwochs | miércoles | mercredi | 周三 星期三
  thursday | donnerstag donnerstags | jueves | jeudi | 周四 星期四
  friday | freitag freitags | viernes | vendredi | 周五 星期五
  saturday | samstag samstags sonnabend | sábado | samedi | 周六 星期六
  sunday | sonntag sonntags | domingo | dimanche | 周日 星期日
  early | früh | temprano | tôt | 早
  late delay delayed | spät verspätung verspätet | tarde retraso | tard retard | 晚 延迟
  red | rot rote roten roter | rojo roja | rouge | 红色
  blue | blau blaue blauen | azul | bleu bleue | 蓝色
  green | grün grüne grünen | verde | vert verte | 绿色
  yellow | gelb gelbe gelben | amarillo amarilla | jaune | 黄色
  black | schwarz schwarze schwarzen | negro negra | noir noire | 黑色
  white | weiß weiße weißen | blanco blanca | blanc blanche | 白色
  grey gray | grau graue grauen | gris | gris grise | 灰色
  brown | braun braune | marrón | brun marron | 棕色
  left | links linke linken | izquierda | gauche | 左边
  right | rechts rechte rechten | derecha | droite | 右边
  top upper above | oben obere oberen | arriba superior | haut dessus supérieur | 上面
  bottom lower below | unten untere unteren | abajo inferior | bas dessous inférieur | 下面
  behind | hinter hinten | detrás atrás | derrière | 后面
  next adjacent | neben | junto lado | côté | 旁边
  inside | innen drinnen | dentro | dedans intérieur | 里面
  outside | draußen außen | fuera | dehors extérieur | 外面
  first | erste ersten erster | primero primera primer | premier première | 第一
  second | zweite zweiten | segundo segunda | deuxième second | 第二
  third | dritte dritten | tercero tercera | troisième | 第三
  last | letzte letzten letzter | último última | dernier dernière | 最后
  half | halb hälfte | mitad medio | moitié demi | 一半
  double twice | doppelt zweimal | doble | double | 两次`
